import { sql } from 'drizzle-orm'
import { openDatabase } from '#src/server/db/database.ts'
import { faultOf } from '#src/server/db/faults.ts'

/**
 * A server's worth of writing, to be killed: eight writers, each batch 20 rows in one transaction;
 * prints a batch's number once it is acknowledged.
 */
const [folder, first] = process.argv.slice(2) as [string, string]
const database = await openDatabase({ folder, say: line => process.stderr.write(`${line}\n`) })
await database.pool.query(
  'create table if not exists crash (batch int, line int, primary key (batch, line))',
)
let next = Number(first)
const write = async () => {
  for (;;) {
    const batch = next++
    try {
      await database.transaction(async tx => {
        for (let line = 0; line < 20; line += 5)
          await tx.execute(
            sql`insert into crash select ${batch}::int, g from generate_series(${line}::int, ${line + 4}::int) g`,
          )
      })
      process.stdout.write(`${batch}\n`)
    } catch (error) {
      if (faultOf(error)?.kind !== 'unavailable') throw error
      await new Promise(resolve => setTimeout(resolve, 50))
    }
  }
}
await Promise.all(Array.from({ length: 8 }, write))
