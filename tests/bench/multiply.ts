import type pg from 'pg'

/** Makes `n` rows of a table's own, `made` saying what differs of each: `x` a row, `g` its copy's number. */
export const multiply = async (
  client: pg.PoolClient,
  table: string,
  { n, made, where = 'true' }: { n: number; made: Record<string, string>; where?: string },
): Promise<void> => {
  const { rows } = await client.query<{ name: string }>(
    `select column_name name from information_schema.columns where table_name = '${table}' and table_schema = 'public' and column_name <> 'id' and is_generated = 'NEVER'`,
  )
  const names = rows.map(row => row.name)
  await client.query(
    `insert into "${table}" (${names.map(name => `"${name}"`).join(', ')})
     select ${names.map(name => made[name] ?? `x."${name}"`).join(', ')}
     from generate_series(1, ceil(${n} / (select count(*) from "${table}" x where ${where})::numeric)::int) g, "${table}" x where ${where} limit ${n}`,
  )
}
