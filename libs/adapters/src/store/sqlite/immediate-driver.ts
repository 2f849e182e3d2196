import type { DatabaseConnection } from 'kysely';
import { CompiledQuery, SqliteDialect, SqliteDriver } from 'kysely';
import type { Driver, SqliteDialectConfig } from 'kysely';

/** A transaction takes the write lock when it begins: one that read first could not be given it later, and would fail. */
class ImmediateDriver extends SqliteDriver {
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }
}

export class ImmediateSqliteDialect extends SqliteDialect {
  constructor(private readonly config: SqliteDialectConfig) {
    super(config);
  }

  override createDriver(): Driver {
    return new ImmediateDriver(this.config);
  }
}
