import { join } from 'node:path'
import { count } from 'drizzle-orm'
import type { Database } from './db/database.ts'
import { seedDemo } from './demo/seed.ts'
import { admin } from './tables/people.ts'

type Out = { write: (text: string) => void; isTTY?: boolean | undefined }

/** Grows the demo data in an installation that has nobody yet, and says how far it is: one line that moves on a terminal, a line every tenth elsewhere. */
export const growDemo = async (database: Database, { seed, scale, data }: { seed: number; scale: number; data: string }, out: Out = process.stderr): Promise<void> => {
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
  await database.unhurried(() => seedDemo(database.db, { seed, scale, pictures: join(data, 'uploads'), progress }))
  out.write(`${out.isTTY ? '\n' : ''}Demo data is there after ${((performance.now() - began) / 1000).toFixed(1)} s.\n`)
}
