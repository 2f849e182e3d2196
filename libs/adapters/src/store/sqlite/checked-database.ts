import { WrongStackError } from '@wrongstack/contracts';
import type { SqliteDatabase, SqliteStatement } from 'kysely';
import type LibsqlDatabase from 'libsql';

const KEPT_STATEMENTS = 256;

/**
 * libsql behind what Kysely asks for. Statements are prepared once, which is most of the cost of a small one; and values that
 * libsql cannot bind are refused here, since some of them would end the process.
 */
export class CheckedDatabase implements SqliteDatabase {
  readonly #prepared = new Map<string, SqliteStatement>();

  constructor(private readonly database: LibsqlDatabase.Database) {}

  prepare(text: string): SqliteStatement {
    const known = this.#prepared.get(text);
    if (known !== undefined) return known;
    const statement = this.checked(this.database.prepare(text));
    // The oldest goes; statements with lists of many lengths would fill it otherwise.
    if (this.#prepared.size >= KEPT_STATEMENTS) {
      for (const oldest of this.#prepared.keys()) {
        this.#prepared.delete(oldest);
        break;
      }
    }
    this.#prepared.set(text, statement);
    return statement;
  }

  close(): void {
    this.#prepared.clear();
    this.database.close();
  }

  private checked(statement: LibsqlDatabase.Statement): SqliteStatement {
    return {
      reader: statement.reader,
      all: (parameters) => statement.all(bindable(parameters)),
      run: (parameters) => statement.run(bindable(parameters)),
      iterate: (parameters) => statement.iterate(bindable(parameters)),
    };
  }
}

function bindable(parameters: readonly unknown[]): readonly unknown[] {
  for (const value of parameters) {
    if (value !== null && typeof value !== 'string' && !isNumber(value)) {
      throw new WrongStackError('store.failed', `SQLite cannot hold a ${typeof value}`);
    }
  }
  return parameters;
}

function isNumber(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value);
}
