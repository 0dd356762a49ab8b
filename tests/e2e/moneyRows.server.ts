/**
 * `node --import ./src/source.mjs tests/e2e/moneyRows.server.ts SOCKET ASKED`: rows of a journey's own
 * whose making takes a whole history (a sale, its use, its freeze). They are made as the tests of
 * the server make theirs.
 */
import { sql } from 'drizzle-orm'
import { openOfServer } from './rowsDatabase.ts'

const [socket, asked] = process.argv.slice(2) as [string, string]
const { kind } = JSON.parse(asked) as { kind: string }
const database = await openOfServer(socket)
// Each process has a hundred numbers that no other has.
await database.db.execute(sql`create sequence if not exists journey_rows`)
const { rows } = await database.db.execute<{ n: string }>(sql`select nextval('journey_rows') n`)
process.env.ROWS_FROM = String(Number(rows[0]!.n) * 100)
const { makers } = await import('./moneyMakers.ts')
const said = await makers[kind as keyof typeof makers](database)
await database.close()
process.stdout.write(JSON.stringify(said))
