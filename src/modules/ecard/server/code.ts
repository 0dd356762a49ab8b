import { and, asc, desc, eq, sql } from 'drizzle-orm'
import { BATCH_MOST, codeLines, ERRORS_SHOWN, type CodeLine } from '#src/areas/ecard/code.ts'
import { beginBatch, generateSome, importSome } from '#src/areas/ecard/codeBatches.server.ts'
import {
  expireDue,
  extendCodes,
  freezeCodes,
  showSecret,
  unfreezeCodes,
  voidCodes,
} from '#src/areas/ecard/codeLife.server.ts'
import { codeLabel, type CodeVerb } from '#src/areas/ecard/codeLife.ts'
import type { Face } from '#src/areas/ecard/codeMaking.server.ts'
import { ecard, ecard_attr, ecard_code } from '#src/areas/ecard/ecard.table.ts'
import { codeStates, type CodeSource } from '#src/areas/ecard/ecard.ts'
import { noteReveal } from '#src/areas/log/reveal.server.ts'
import { sealerOf } from '#src/areas/secret/secrets.server.ts'
import { linesOfFile, SLICE, slicesOf, type Slice } from '#src/areas/secret/slices.server.ts'
import { say } from '#src/domain/text.ts'
import { implement, type Handler, type WriteContext } from '#src/server/call/implement.ts'
import { exporting, holding } from '#src/server/call/record.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import { countOf } from '#src/server/db/paging.ts'
import { whole } from '#src/server/db/whole.ts'
import { defineRowJob, startRowJob } from '#src/server/jobs/rowJobs.ts'
import { defineTimer } from '#src/server/jobs/timers.ts'
import { codes as contract } from '../contract/code.ts'
import { cardsSeen, codeList, codeRecord, faceName, statOf, trailOf } from './codeRecord.ts'

export const sealerHere = ({ install, tx }: WriteContext) => sealerOf(install.codeKeys, tx)

/** The face whose codes are made here, or come in a file. */
const faceOf = async (
  { tx }: WriteContext,
  attr_id: number,
  source: Exclude<CodeSource, 'api'>,
): Promise<Face> => {
  const [found] = await tx
    .select({ face: ecard_attr, source: ecard.source })
    .from(ecard_attr)
    .innerJoin(ecard, eq(ecard.id, ecard_attr.card_id))
    .where(eq(ecard_attr.id, attr_id))
  if (!found) throw missing()
  if (found.source !== source)
    throw source === 'generate'
      ? ruled('other_source', [
          '这张卡的卡密不由平台生成，请导入或由供应商接口提供',
          'The platform does not make this card’s codes: import them',
        ])
      : ruled('other_source', [
          '这张卡的卡密不是导入的，请使用“生成卡密”',
          'This card’s codes are not imported: make them',
        ])
  return found.face
}
type Same = { batch_id: number; batch_no: string; attr_id: number }
const partOf = async ({ tx, now }: WriteContext, of: Same) => {
  const [face] = await tx.select().from(ecard_attr).where(eq(ecard_attr.id, of.attr_id))
  return { batch: { id: of.batch_id, batch_no: of.batch_no }, face: face!, now }
}
const generating = defineRowJob(contract.generate, async (context, { n }: Slice, of: Same) =>
  generateSome(context.tx, await sealerHere(context), { ...(await partOf(context, of)), n }),
)
const sealedPart = (batch_no: string, line: number) => `import ${batch_no} ${line}`
type Part = { line: number; sealed: string }
const importing = defineRowJob(contract.importCodes, async (context, row: Part, of: Same) => {
  const sealer = await sealerHere(context)
  const text = sealer.open(row.sealed, sealedPart(of.batch_no, row.line))
  const lines = JSON.parse(text) as CodeLine[]
  return importSome(context.tx, sealer, { ...(await partOf(context, of)), lines })
})
/** A batch is begun and told of in the log. */
const begun = async (
  context: WriteContext,
  face: Face,
  of: Omit<Parameters<typeof beginBatch>[2], 'admin_id' | 'created_at'>,
) => {
  const { tx, staff, now } = context
  const batch = await beginBatch(tx, face, { ...of, admin_id: staff.id, created_at: now })
  context.log({
    object_type: 'ecard_batch',
    object_id: batch.id,
    object_label: batch.batch_no,
    after: { kind: batch.kind, qty: batch.qty, bad_n: batch.bad_n },
    reason: of.reason,
  })
  const same = { batch_id: batch.id, batch_no: batch.batch_no, attr_id: face.id }
  return { batch, same, told: { id: batch.id, batch_no: batch.batch_no } }
}
type Done = Awaited<ReturnType<typeof freezeCodes>>
/** Does one thing to the code as the person holds it; refuses with why it can't be. */
const changed = async (
  context: WriteContext,
  one: { id: number; version: number; reason: string },
  verb: CodeVerb,
  run: (where: ReturnType<typeof eq>) => Promise<Done>,
) => {
  const was = await codeRecord.heldFast(context, one)
  const { done, left } = await run(eq(ecard_code.id, was.id))
  const [after] = done
  if (!after) throw ruled(`code_${verb}`, left[0]!.text)
  codeRecord.log(context, after, {
    before: { state: was.state },
    after: { state: after.state },
    reason: one.reason,
  })
  return after
}

const stockHandlers = {
  lst: codeList.page,
  stock: async ({ card_id, attr_id }, { db, staff }) => {
    const [card] = await db
      .select()
      .from(ecard)
      .where(and(eq(ecard.id, card_id), cardsSeen(staff)))
    if (!card) throw missing()
    const faces = await db
      .select()
      .from(ecard_attr)
      .where(eq(ecard_attr.card_id, card_id))
      .orderBy(asc(ecard_attr.sort), asc(ecard_attr.id))
    const of = attr_id === undefined ? undefined : eq(ecard_code.attr_id, attr_id)
    return { ...card, faces, stat: await statOf(db, and(eq(ecard_code.card_id, card_id), of)) }
  },
  cards: async ({ keyword, page, pageSize }, { db, staff }) => {
    const where = and(cardsSeen(staff), holding(keyword, [ecard.name], ecard.id))
    const sum = (of: 'free_n' | 'sold_n') =>
      sql<number>`(select coalesce(sum(${ecard_attr[of]}), 0)::int from ${ecard_attr} where ${ecard_attr.card_id} = ${whole(ecard.id)})`
    const list = await db
      .select({
        id: ecard.id,
        name: ecard.name,
        type: ecard.type,
        free_n: sum('free_n'),
        sold_n: sum('sold_n'),
      })
      .from(ecard)
      .where(where)
      .orderBy(desc(ecard.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize)
    return { list, ...(await countOf(db, ecard, where)) }
  },
  faces: async ({ card_id, keyword, page, pageSize }, { db, staff }) => {
    const of = keyword && /^\d{1,7}$/.test(keyword) ? Number(keyword) * 100 : undefined
    const seen = sql`exists (select 1 from ${ecard} where ${ecard.id} = ${ecard_attr.card_id} and ${cardsSeen(staff) ?? sql`true`})`
    const where = and(
      eq(ecard_attr.card_id, card_id),
      seen,
      of === undefined ? undefined : eq(ecard_attr.face_cents, of),
    )
    const rows = await db
      .select()
      .from(ecard_attr)
      .where(where)
      .orderBy(asc(ecard_attr.sort), asc(ecard_attr.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize)
    const list = rows.map(row => ({ id: row.id, name: faceName(row, staff.lang) }))
    return { list, ...(await countOf(db, ecard_attr, where)) }
  },
  trail: async ({ id }, { db, staff }) => {
    const code = await codeRecord.read(db, staff, id)
    const list = await trailOf(db, code, staff.lang)
    const spent_cents = code.activated_at === null ? 0 : code.face_cents - code.balance_cents
    return { ...code, spent_cents, list }
  },
} satisfies Partial<{ [K in keyof typeof contract]: Handler<(typeof contract)[K]> }>

const handlers = {
  ...stockHandlers,
  generate: async ({ attr_id, count, reason }, context) => {
    const face = await faceOf(context, attr_id, 'generate')
    const { batch, same, told } = await begun(context, face, {
      kind: 'generate',
      qty: count,
      reason,
    })
    if (count > SLICE)
      return {
        ...told,
        done: 0,
        job_id: (await startRowJob(context, generating, { rows: slicesOf(count), same })).job_id,
      }
    const sealer = await sealerHere(context)
    await generateSome(context.tx, sealer, { batch, face, n: count, now: context.now })
    return { ...told, done: count, job_id: null }
  },
  importCodes: async ({ attr_id, reason, secret_file }, context) => {
    const face = await faceOf(context, attr_id, 'import')
    const { good, bad } = codeLines(linesOfFile(secret_file))
    const qty = good.length + bad.length
    if (qty === 0) throw ruled('no_code', ['文件里没有卡密', 'No code is in the file'])
    if (qty > BATCH_MOST)
      throw ruled(
        'many_codes',
        ['文件有 {n} 行，一次最多 {most} 行，请拆分后导入', '{n} lines: at most {most} at once'],
        { n: qty, most: BATCH_MOST },
      )
    const errors = bad.slice(0, ERRORS_SHOWN)
    const { batch, same, told } = await begun(context, face, {
      kind: 'import',
      qty,
      bad_n: bad.length,
      errors,
      reason,
    })
    const sealer = await sealerHere(context)
    if (good.length > SLICE) {
      const rows = slicesOf(good.length).map(({ line, from, n }) => {
        const text = JSON.stringify(good.slice(from, from + n))
        return { line, sealed: sealer.seal(text, sealedPart(batch.batch_no, line)) }
      })
      const { job_id } = await startRowJob(context, importing, { rows, same })
      return { ...told, done: 0, bad: bad.length, job_id }
    }
    const of = { batch, face, lines: good, now: context.now }
    const done = await importSome(context.tx, sealer, of)
    return { ...told, done, bad: qty - done, job_id: null }
  },
  freeze: (one, context) => {
    const by = { admin_id: context.staff.id, reason: one.reason, now: context.now }
    return changed(context, one, 'freeze', where => freezeCodes(context.tx, where, by))
  },
  unfreeze: (one, context) =>
    changed(context, one, 'unfreeze', where => unfreezeCodes(context.tx, where, context)),
  void: (one, context) => {
    const by = { reason: one.reason, now: context.now }
    return changed(context, one, 'void', where => voidCodes(context.tx, where, by))
  },
  extend: async ({ until, reason, ...one }, context) => {
    const was = await codeRecord.heldFast(context, one)
    const [after] = await extendCodes(context.tx, [was.id], { until, now: context.now })
    codeRecord.log(context, after!, {
      before: { state: was.state, valid_until: was.valid_until },
      after: { state: after!.state, valid_until: after!.valid_until },
      reason,
    })
    return after!
  },
  revealSecret: async ({ id, reason }, context) => {
    const was = await codeRecord.read(context.tx, context.staff, id)
    const label = codeLabel(was)
    const { seconds, left } = await noteReveal(
      context,
      'ecard.secret',
      { object_type: 'ecard_code', object_id: id, object_label: label },
      reason,
    )
    const sealer = await sealerHere(context)
    const { secret } = await showSecret(context.tx, sealer, { code_id: id, now: context.now })
    return { id, secret_code: secret, seconds, left }
  },
  export: exporting(codeList, {
    page: 'ecard.list.code',
    title: ['电子卡卡密', 'Codes of an e-card'],
    permit: contract.export.permit,
    columns: [
      { key: 'id', title: ['编号', 'ID'], kind: 'number' },
      { key: 'card_no', title: ['卡号', 'Card number'], field: 'ecard.card_no' },
      { key: 'batch_no', title: ['批次', 'Batch'] },
      { key: 'face', title: ['面值', 'Face'], kind: 'money' },
      { key: 'state', title: ['状态', 'State'] },
      { key: 'balance', title: ['余额', 'Balance'], kind: 'money' },
      { key: 'channel_name', title: ['渠道', 'Channel'] },
      { key: 'order_no', title: ['订单', 'Order'] },
      { key: 'holder', title: ['持卡人', 'Holder'] },
      { key: 'phone', title: ['手机号', 'Phone'], field: 'member.phone' },
      { key: 'sold_at', title: ['售出时间', 'Sold'], kind: 'time' },
      { key: 'activated_at', title: ['激活时间', 'Activated'], kind: 'time' },
      { key: 'valid_until', title: ['有效期至', 'Valid until'], kind: 'time' },
      { key: 'reason', title: ['原因', 'Why'] },
    ],
    words: ({ state, batch_no }, lang) => [state && say(codeStates[state], lang), batch_no],
    cells: (row, { lang }) => ({
      ...row,
      card_no: row.card_no ?? '',
      phone: row.phone ?? '',
      face: row.face_cents,
      balance: row.balance_cents,
      state: say(codeStates[row.state], lang),
    }),
  }),
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

export const codeServer = implement(contract, handlers)

const ROUNDS = 40
defineTimer('ecard.expire', '*/10 * * * *', async ({ database, now }) => {
  let done = 0
  for (let round = 0; round < ROUNDS; round++) {
    const n = await database.transaction(tx => expireDue(tx, now))
    done += n
    if (n === 0) break
  }
  return done > 0 ? contract.freeze.touches : []
})
