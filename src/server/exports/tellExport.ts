import { eq } from 'drizzle-orm'
import { export_job } from '#src/areas/export/job.table.ts'
import { tellPeople } from '#src/areas/message/message.server.ts'
import type { Db } from '#src/server/call/implement.ts'
import { exportNamed } from './exports.ts'

/** Tells whoever asked for an export that it is done, or why it failed; in the transaction of that. */
export const tellOfExport = async (tx: Db, id: number): Promise<void> => {
  const [job] = await tx.select().from(export_job).where(eq(export_job.id, id))
  if (job?.state !== 'done' && job?.state !== 'failed') return
  const of = exportNamed(job.page)?.title ?? ([job.page, job.page] as const)
  await tellPeople(tx, {
    to: [job.admin_id],
    kind: `export_${job.state}`,
    about: `export:${id}:${job.version}`,
    facts: { of, n: job.rows_done, why: job.error ?? '' },
  })
}
