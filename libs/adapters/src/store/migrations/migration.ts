import type { CreateTableBuilder, Expression, RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { Database, StoreKind } from '../schema.js';

/** One step forward. There is no way back: a restore is. Numbers are given once and steps are never edited after a release. */
export interface Migration {
  readonly number: number;
  readonly name: string;
  up(db: Database, kind: StoreKind): Promise<void>;
}

/** Column types, the same in meaning on each database. */
export interface ColumnTypes {
  /** Compared byte by byte, so that order and cursors are the same everywhere, whatever the database's locale is. */
  readonly key: RawBuilder<unknown>;
  readonly json: 'text';
  readonly number: 'bigint';
}

export function columnTypes(kind: StoreKind): ColumnTypes {
  return { key: kind === 'postgres' ? sql`text collate "C"` : sql`text`, json: 'text', number: 'bigint' };
}

/** A table's columns as a list; `?` at the end of a name = may be null. The names in `primary` make the key. */
export async function createTable(
  db: Database,
  kind: StoreKind,
  table: string,
  columns: Readonly<Record<string, keyof ColumnTypes>>,
  primary: readonly string[],
): Promise<void> {
  const types = columnTypes(kind);
  let builder: CreateTableBuilder<string> = db.schema.createTable(table);
  for (const [written, type] of Object.entries(columns)) {
    const name = written.replace(/\?$/, '');
    const dataType: 'text' | 'bigint' | Expression<unknown> = types[type];
    builder = builder.addColumn(name, dataType, (column) =>
      written.endsWith('?') ? column : column.notNull(),
    );
  }
  // The type counts columns as they are added; here their names come from a list.
  await builder.addPrimaryKeyConstraint(`${table}_key`, primary as never).execute();
}

export async function createIndex(
  db: Database,
  table: string,
  columns: readonly string[],
  unique = false,
): Promise<void> {
  const builder = db.schema
    .createIndex(`${table}_by_${columns.join('_')}`)
    .on(table)
    .columns([...columns]);
  await (unique ? builder.unique() : builder).execute();
}
