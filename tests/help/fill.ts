import type pg from 'pg'

/**
 * Puts many rows in by an insert, while its tables have their keys alone and look for no parent: row
 * by row, that takes a third of its time. Their indexes and checks stand again afterwards.
 */
export const fill = async (
  pool: pg.Pool,
  insert: string,
  values: readonly unknown[] = [],
): Promise<void> => {
  const tables = [...insert.matchAll(/\binsert into ("\w+"|\w+)/g)].map(([, name]) => name)
  const client = await pool.connect()
  try {
    const { rows: indexes } = await client.query<{ name: string; made: string }>(
      `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as made from pg_index
        where indrelid = any($1::regclass[]) and not exists (select 1 from pg_constraint where conindid = indexrelid)`,
      [tables],
    )
    const { rows: checks } = await client.query<{ of: string }>(
      `select format('alter table %s %%s trigger %I', tgrelid::regclass, tgname) as of from pg_trigger
        where tgrelid = any($1::regclass[]) and tgisinternal`,
      [tables],
    )
    const all = (statements: readonly string[]) => client.query(statements.join(';'))
    await all([
      ...indexes.map(({ name }) => `drop index ${name}`),
      ...checks.map(({ of }) => of.replace('%s', 'disable')),
    ])
    await client.query(insert, [...values])
    await all([
      ...indexes.map(({ made }) => made),
      ...checks.map(({ of }) => of.replace('%s', 'enable')),
    ])
  } finally {
    client.release()
  }
}
