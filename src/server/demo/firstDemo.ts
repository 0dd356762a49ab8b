import { join } from 'node:path'
import { count, inArray, sql } from 'drizzle-orm'
import { admin } from '#src/areas/people/people.table.ts'
import { demoAccounts } from '#src/areas/people/roles.demo.ts'
import { alone } from '#src/server/db/alone.ts'
import type { Database } from '#src/server/db/database.ts'
import { migrate } from '#src/server/db/migrate.ts'
import { seedDemo } from './seed.ts'

type How = { seed: number; scale: number; data: string; code_keys?: string }
type Out = { write: (text: string) => void; isTTY?: boolean | undefined }

/**
 * Grows the demo data in an installation that has nobody yet, and says how far it is: one line that
 * moves on a terminal, a line every tenth elsewhere.
 */
export const growDemo = async (
  database: Database,
  { seed, scale, data, code_keys: codeKeys }: How,
  out: Out = process.stderr,
): Promise<void> => {
  const [people] = await database.db.select({ n: count() }).from(admin)
  if (people!.n > 0) return
  const began = performance.now()
  let shown = ''
  const progress = ({ step, done, total }: { step: string; done: number; total: number }) => {
    const percent = Math.floor((done / total) * 100)
    const line = `Growing demo data: ${String(out.isTTY ? percent : percent - (percent % 10)).padStart(3)} %  ${step}`
    if (line === shown) return
    shown = line
    out.write(out.isTTY ? `\r${line}\x1b[K` : `${line}\n`)
  }
  await database.unhurried(async () => {
    await seedDemo(database.db, {
      seed,
      scale,
      pictures: join(data, 'uploads'),
      ...(codeKeys && { codeKeys }),
      progress,
    })
    // An embedded database tidies nothing by itself: its searches would go through every word that
    // waits to be sorted into an index, and its counts through every row.
    if (database.exclusive) await database.db.execute(sql`vacuum (analyze)`)
  })
  out.write(
    `${out.isTTY ? '\n' : ''}Demo data is there after ${((performance.now() - began) / 1000).toFixed(1)} s.\n`,
  )
}

/**
 * An empty database becomes the demo's; one that is the demo's stays. Any other is refused before
 * anything in it is changed, its tables included: copies of real orders would be false ones among
 * them.
 */
export const prepareDemo = async (database: Database, how: How, out?: Out): Promise<void> => {
  const [there] = (
    await database.db.execute<{ tables: boolean }>(
      sql`select to_regclass('public.admin') is not null tables`,
    )
  ).rows
  if (there!.tables) {
    const accounts = demoAccounts.map(one => `${one.account}@mallet.example`)
    const [people] = await database.db
      .select({
        n: count(),
        demo: sql<number>`count(*) filter (where ${inArray(admin.email, accounts)})::int`,
      })
      .from(admin)
    if (people!.n > 0 && people!.demo < accounts.length)
      throw new Error(
        '此库不是演示数据，未做任何修改。\nThis database does not hold demo data: nothing was changed.',
      )
  }
  await alone(database, async () => {
    await migrate(database)
    await growDemo(database, how, out)
  })
}
