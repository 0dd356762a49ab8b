/** Batches of a card's codes: what came in, what is voided, and the encrypted file of one. */
import { setImmediate as breath } from 'node:timers/promises'
import { eq, inArray } from 'drizzle-orm'
import { ecard_batch } from '#src/areas/ecard/code.table.ts'
import { secretsCan, type SecretVerb } from '#src/areas/ecard/code.ts'
import { spansOf, unsoldOf, voidSpan, type Span } from '#src/areas/ecard/codeBatches.server.ts'
import { ecard_attr, ecard_code } from '#src/areas/ecard/ecard.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { aesZip, drawPassword } from '#src/areas/secret/aesZip.server.ts'
import { groupedCode } from '#src/areas/secret/secretCode.ts'
import { implement, type Db, type Handler, type WriteContext } from '#src/server/call/implement.ts'
import { listing, record } from '#src/server/call/record.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { defineRowJob, startRowJob } from '#src/server/jobs/rowJobs.ts'
import { codeBatches as contract } from '../contract/code.ts'
import { sealerHere } from './code.ts'
import { seenByCard, statOf } from './codeRecord.ts'

const batches = record(ecard_batch, {
  object: 'ecard_batch',
  label: row => row.batch_no,
  keys: ['secrets'],
  places: seenByCard(ecard_batch.card_id),
})
type Batch = typeof ecard_batch.$inferSelect
const namesOf = async (db: Db, ids: readonly number[]) =>
  new Map(
    ids.length === 0
      ? []
      : (
          await db
            .select({ id: admin.id, name: admin.name })
            .from(admin)
            .where(inArray(admin.id, [...new Set(ids)]))
        ).map(one => [one.id, one.name]),
  )
const list = listing(batches, {
  by: ecard_batch.id,
  down: true,
  where: ({ card_id }: { card_id: number }) => eq(ecard_batch.card_id, card_id),
  shown: async (db, rows) => {
    const people = await namesOf(
      db,
      rows.flatMap(row => [row.admin_id, row.asked_by ?? 0]),
    )
    const faces = new Map(
      (
        await db
          .select()
          .from(ecard_attr)
          .where(
            inArray(
              ecard_attr.id,
              rows.map(row => row.attr_id),
            ),
          )
      ).map(face => [face.id, face.face_cents]),
    )
    return rows.map(row => ({
      ...row,
      face_cents: faces.get(row.attr_id)!,
      by: people.get(row.admin_id) ?? '',
      asker: people.get(row.asked_by ?? 0) ?? '',
      asked_reason: row.asked_reason ?? '',
    }))
  },
})
/** The batch as the person holds it; 422 where they can't do that about its file now. */
const heldFor = async (
  context: WriteContext,
  verb: SecretVerb,
  one: { id: number; version: number },
): Promise<Batch> => {
  const was = await batches.heldFast(context, one)
  const may = secretsCan(verb, was, context.staff.id)
  if (may !== true) throw ruled(`secrets_${verb}`, may)
  return was
}
type Voiding = { batch_no: string; reason: string }
const voiding = defineRowJob(
  contract.batchVoid,
  ({ tx, now }, { first, last }: Span, of: Voiding) => voidSpan(tx, { first, last, ...of, now }),
)
const nobody = { secrets: 'none', asked_by: null, asked_reason: null, agreed_by: null } as const

const handlers = {
  lst: list.page,
  stat: async ({ id }, { db, staff }) => {
    const { batch_no } = await batches.read(db, staff, id)
    return { stat: await statOf(db, eq(ecard_code.batch_no, batch_no)) }
  },
  batchVoid: async ({ reason, ...one }, context) => {
    const was = await batches.heldFast(context, one)
    const spans = await spansOf(context.tx, was.batch_no)
    if (spans.length === 0) throw ruled('no_code', ['该批次没有卡密', 'No code is in the batch'])
    const after = await batches.set(context, was, { updated_at: context.now })
    batches.log(context, was, { after: { qty: was.done }, reason })
    const of = { batch_no: was.batch_no, reason }
    if (spans.length > 1) {
      const { job_id } = await startRowJob(context, voiding, { rows: spans, same: of })
      return { ...after, done: 0, skipped: 0, job_id }
    }
    const { done, left } = await voidSpan(context.tx, { ...spans[0]!, ...of, now: context.now })
    return { ...after, done, skipped: left, job_id: null }
  },
  askSecrets: async ({ reason, ...one }, context) => {
    const was = await heldFor(context, 'ask', one)
    const asked = { secrets: 'asked', asked_by: context.staff.id, asked_reason: reason } as const
    return batches.save(context, was, asked, reason)
  },
  agreeSecrets: async ({ agree, reason, ...one }, context) => {
    const was = await heldFor(context, 'agree', one)
    const said = agree ? { secrets: 'agreed' as const, agreed_by: context.staff.id } : nobody
    return batches.save(context, was, said, reason)
  },
  fetchSecrets: async (one, context) => {
    const was = await heldFor(context, 'fetch', one)
    const sealer = await sealerHere(context)
    const lines: string[] = []
    for (let after = 0; ; await breath()) {
      const rows = await unsoldOf(context.tx, was.batch_no, after)
      if (rows.length === 0) break
      for (const row of rows)
        lines.push(`${row.card_no},${groupedCode(sealer.open(row.sealed, row.hash))}`)
      after = rows.at(-1)!.id
    }
    if (lines.length === 0)
      throw ruled('nothing_to_export', ['该批次没有未售的卡密', 'No code of the batch is free'])
    const secret_password = drawPassword()
    const name = `ecard-${was.batch_no}`
    const text = `card_no,secret\r\n${lines.join('\r\n')}\r\n`
    const file = await aesZip(`${name}.csv`, text, secret_password)
    const after = await batches.save(context, was, nobody, was.asked_reason ?? '')
    return {
      id: was.id,
      version: after.version,
      rows: lines.length,
      left: was.done - lines.length,
      name: `${name}.zip`,
      secret_file: file.toString('base64'),
      secret_password,
    }
  },
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

export const codeBatchServer = implement(contract, handlers)
