import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { eq, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { export_job } from '#src/areas/export/job.table.ts'
import { op_log } from '#src/areas/log/log.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { say } from '#src/domain/text.ts'
import { dateOf, unixNow } from '#src/domain/time.ts'
import type { FieldMode } from '#src/server/call/implement.ts'
import { langOf, refused, type Core } from '#src/server/call/pipeline.ts'
import { forbidden, Refusal } from '#src/server/call/refuse.ts'
import { seesAll } from '#src/server/call/scope.ts'
import { exportNamed, jobOfLink } from '#src/server/exports/exports.ts'
import type { ExportWorker } from '#src/server/exports/exportWorker.ts'
import { findStaff, isLive } from '#src/server/sessions/sessions.ts'

const strictness: Record<FieldMode, number> = { show: 0, mask: 1, hide: 2 }
/**
 * The right to what others exported. Their files may hold rows of anywhere, so it takes a person
 * who sees all data.
 */
export const ALL_EXPORTS = 'system.exportLogs.all'
const gone = () =>
  new Refusal(
    410,
    ['文件已过期或作废，请重新导出', 'The file has expired, export again'],
    {},
    { rule: 'gone' },
  )
const types = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const

/**
 * `GET /api/manageback/export/file`: an export's file by its signed link. The right and the field
 * rules are asked once more; a fetch is logged.
 */
export const downloadRoute = (app: FastifyInstance, core: Core, worker: ExportWorker): void => {
  app.get('/api/manageback/export/file', async (request, reply) => {
    const lang = langOf(request.headers['accept-language'])
    try {
      const { db } = core.database
      const now = unixNow()
      const link = jobOfLink(core.install, request.query as Record<string, unknown>, now)
      if (!link || !(await isLive(db, link.session, now))) throw gone()
      const id = link.job
      const [job] = await db.select().from(export_job).where(eq(export_job.id, id))
      if (!job || job.state !== 'done' || (job.expires_at ?? 0) <= now) throw gone()
      const known = await findStaff(db, link.by, lang)
      const made = exportNamed(job.page)
      if (
        !made ||
        !known?.staff.can(made.permit) ||
        (job.admin_id !== link.by && !(known.staff.can(ALL_EXPORTS) && seesAll(known.staff.scope)))
      )
        throw forbidden()
      if (
        Object.entries(job.fields).some(
          ([key, mode]) => strictness[known.staff.field(key)] > strictness[mode],
        )
      )
        throw gone()
      const path = worker.fileOf(job)
      const { size } = await stat(path).catch(() => {
        throw gone()
      })
      await db
        .update(export_job)
        .set({ downloads: sql`${export_job.downloads} + 1` })
        .where(eq(export_job.id, id))
      await db.insert(op_log).values({
        admin_id: known.staff.id,
        admin_name: known.staff.name,
        module: 'export',
        action: 'export.file',
        object_type: 'export_job',
        object_id: id,
        object_label: job.page,
        result: 'ok',
        ip: request.ip,
        trace_id: request.id,
      })
      const [by] = await db
        .select({ name: admin.name })
        .from(admin)
        .where(eq(admin.id, job.admin_id))
      const name =
        `${say(made.title, job.lang)}-${dateOf(job.created_at)}-${by?.name ?? ''}-${id}.${job.format}`.replace(
          /[\\/:*?"<>|\p{Cc}]/gu,
          ' ',
        )
      return reply
        .headers({
          'content-type': types[job.format],
          'content-length': size,
          'content-disposition': `attachment; filename="export-${id}.${job.format}"; filename*=UTF-8''${encodeURIComponent(name)}`,
        })
        .send(createReadStream(path))
    } catch (error) {
      const { http, envelope, headers } = refused(core, error, { request_id: request.id, lang })
      return reply
        .code(http)
        .headers(headers ?? {})
        .send(envelope)
    }
  })
}
