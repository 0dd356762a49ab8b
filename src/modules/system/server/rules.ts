import { and, asc, desc, eq, ilike, ne, or, sql, type SQL } from 'drizzle-orm'
import { soundHtml } from '#src/areas/content/html.server.ts'
import { member } from '#src/areas/member/member.table.ts'
import {
  agreementCan,
  agreementStates,
  agreementTypes,
  consentWays,
  lineDiff,
  nextVersion,
  textLines,
  type AgreementState,
  type AgreementType,
  type AgreementVerb,
} from '#src/areas/merchant/agreement.ts'
import { holdType, supersede, takeEffect } from '#src/areas/merchant/agreements.server.ts'
import { agreement, agreement_consent } from '#src/areas/merchant/texts.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { clause, say, type Text } from '#src/domain/text.ts'
import {
  implement,
  type Db,
  type Handler,
  type Staff,
  type WriteContext,
} from '#src/server/call/implement.ts'
import { invalid, missing, ruled } from '#src/server/call/refuse.ts'
import { within } from '#src/server/call/scope.ts'
import { difference, rowSaver, staleRow } from '#src/server/call/versions.ts'
import { faultOf } from '#src/server/db/faults.ts'
import { like } from '#src/server/db/like.ts'
import { countOf } from '#src/server/db/paging.ts'
import { defineExport, startExport, chosenRows, type Chosen } from '#src/server/exports/exports.ts'
import { defineTimer } from '#src/server/jobs/timers.ts'
import { rules as contract } from '../contract/rules.ts'

type Row = typeof agreement.$inferSelect
const saveAgreement = rowSaver(agreement, 'agreement')
type Filters = {
  type?: AgreementType | undefined
  state?: AgreementState | undefined
  keyword?: string | undefined
}
const listWhere = ({ type, state, keyword, ids }: Filters & Chosen): SQL | undefined =>
  and(
    chosenRows(agreement.id, { ids }),
    type && eq(agreement.type, type),
    state && eq(agreement.state, state),
    keyword
      ? or(ilike(agreement.version_no, like(keyword)), ilike(agreement.summary, like(keyword)))
      : undefined,
  )
const label = (row: Pick<Row, 'type' | 'version_no'>) =>
  `${agreementTypes[row.type][0]} ${row.version_no}`
const readRow = async (db: Db, id: number): Promise<Row> => {
  const [row] = await db.select().from(agreement).where(eq(agreement.id, id))
  if (!row) throw missing()
  return row
}
/** Members who can be asked: those who closed their account or were merged are not. */
const askable = sql`account_state in ('normal', 'muted', 'banned')`
/** Merchants, not members, agree to the joining contract. */
const askedOfMembers = (type: AgreementType) => type !== 'merchant'

type Fields = {
  content: string
  summary: string
  force_consent: boolean
  effective_at: number | null
}
const contentFault = ({
  risky,
  blank,
}: {
  risky: string | undefined
  blank: boolean
}): Text | undefined => {
  if (risky !== undefined) return [`含有不允许的内容：${risky}`, `Not allowed: ${risky}`]
  return blank ? ['正文为空', 'The text is empty'] : undefined
}
/** The fields as they may be kept, or what is wrong with them. */
const sound = (of: Fields, { staff, now }: Pick<WriteContext, 'staff' | 'now'>): Fields => {
  const { html, ...found } = soundHtml(of.content)
  const content = contentFault(found)
  const faults: Record<string, Text> = {
    ...(content && { content }),
    ...(of.force_consent && of.summary === ''
      ? {
          summary: [
            '要求重新同意时须写明变更摘要',
            'Members who must consent anew are told what changed',
          ] as const,
        }
      : {}),
    ...(of.effective_at !== null && of.effective_at <= now
      ? { effective_at: ['生效时间不能早于现在', 'The time has passed'] as const }
      : {}),
  }
  if (Object.keys(faults).length > 0)
    throw invalid(
      Object.fromEntries(Object.entries(faults).map(([key, text]) => [key, say(text, staff.lang)])),
    )
  return { ...of, content: html }
}
const keys = [
  'content',
  'summary',
  'force_consent',
  'effective_at',
  'state',
  'withdraw_reason',
] as const

/** Reads the version with all of its type held, and refuses what its state does not allow. */
const held = async (
  context: WriteContext,
  verb: AgreementVerb,
  { id, version }: { id: number; version: number },
): Promise<Row> => {
  const { tx, now } = context
  await holdType(tx, (await readRow(tx, id)).type)
  const row = await readRow(tx, id)
  if (row.version !== version) throw await staleRow(tx, 'agreement', row)
  const may = agreementCan(verb, row, now)
  if (may !== true) throw ruled('wrong_state', may)
  return row
}
/** What holds of every version that goes out, at once or by the clock. */
const mayGoOut = async (
  context: WriteContext,
  row: Row,
  effective_at: number | null,
): Promise<void> => {
  sound({ ...row, effective_at }, context)
  const [waiting] = await context.tx
    .select({ version_no: agreement.version_no })
    .from(agreement)
    .where(and(eq(agreement.type, row.type), eq(agreement.state, 'scheduled')))
  if (waiting)
    throw ruled(
      'scheduled_waits',
      [
        '{no} 正等待生效，它会替代现在发布的版本；请先撤回它',
        '{no} waits to take effect and would replace this one: withdraw it first',
      ],
      { no: waiting.version_no },
    )
}
const saved = async (context: WriteContext, row: Row, set: Partial<Row>, reason?: string) => {
  const after = await saveAgreement(context.tx, row, {
    ...set,
    editor_id: context.staff.id,
  })
  context.log({
    object_type: 'agreement',
    object_id: row.id,
    object_label: label(row),
    ...difference(row, after, keys),
    ...(reason && { reason }),
  })
  return { id: row.id, version: after.version }
}

const handlers = {
  lst: async ({ page, pageSize, ...filters }, { db }) => {
    const where = listWhere(filters)
    const found = await db
      .select({
        row: agreement,
        editor: admin.name,
        consents: sql<number>`(select count(*)::int from agreement_consent c where c.agreement_id = ${agreement.id})`,
      })
      .from(agreement)
      .leftJoin(admin, eq(admin.id, agreement.editor_id))
      .where(where)
      .orderBy(
        sql`array_position(${sql.raw(`array['${Object.keys(agreementTypes).join("','")}']`)}, ${agreement.type}::text)`,
        desc(agreement.id),
      )
      .limit(pageSize)
      .offset((page - 1) * pageSize)
    const {
      rows: [members],
    } = await db.execute<{ n: number }>(sql`select count(*)::int n from member where ${askable}`)
    const rate = (row: Pick<Row, 'type' | 'state'>, consents: number) =>
      askedOfMembers(row.type) && row.state === 'effective' && members!.n > 0
        ? Math.min(10_000, Math.round((consents * 10_000) / members!.n))
        : null
    return {
      list: found.map(
        ({ row: { content, editor_id: _, created_at: __, ...row }, editor, consents }) => ({
          ...row,
          editor: editor ?? '',
          consents,
          consent_bp: rate(row, consents),
          ...(row.state === 'draft' && { content }),
        }),
      ),
      ...(await countOf(db, agreement, where)),
    }
  },
  versions: async ({ type, but, keyword, page, pageSize }, { db }) => {
    const where = and(
      eq(agreement.type, type),
      but === undefined ? undefined : ne(agreement.id, but),
      keyword ? ilike(agreement.version_no, like(keyword)) : undefined,
    )
    const list = await db
      .select({ id: agreement.id, version_no: agreement.version_no, state: agreement.state })
      .from(agreement)
      .where(where)
      .orderBy(desc(agreement.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize)
    return { list, ...(await countOf(db, agreement, where)) }
  },
  create: async ({ type, ...fields }, context) => {
    const { tx, staff, log } = context
    const kept = sound(fields, context)
    await holdType(tx, type)
    const known = await tx
      .select({ version_no: agreement.version_no, state: agreement.state })
      .from(agreement)
      .where(eq(agreement.type, type))
    const twice = () =>
      ruled(
        'draft_exists',
        ['「{type}」已有一份草稿，请编辑它', '{type} has a draft already: edit that one'],
        { type: say(agreementTypes[type], staff.lang) },
      )
    if (known.some(one => one.state === 'draft')) throw twice()
    try {
      const [made] = await tx
        .insert(agreement)
        .values({
          type,
          ...kept,
          version_no: nextVersion(known.map(one => one.version_no)),
          editor_id: staff.id,
        })
        .returning()
      log({
        object_type: 'agreement',
        object_id: made!.id,
        object_label: label(made!),
        after: { type, ...kept },
      })
      return { id: made!.id, version: made!.version, version_no: made!.version_no }
    } catch (error) {
      // The first versions of a type can't be held: of two at once the index lets one in.
      if (faultOf(error)?.kind === 'unique') throw twice()
      throw error
    }
  },
  edit: async ({ id, version, ...fields }, context) => {
    const row = await held(context, 'edit', { id, version })
    return saved(context, row, sound(fields, context))
  },
  diff: async ({ id, other_id }, { db }) => {
    const [row, other] = [await readRow(db, id), await readRow(db, other_id)]
    if (row.type !== other.type)
      throw ruled('other_type', [
        '只能对比同一类型的版本',
        'Only versions of one type can be compared',
      ])
    const lines = lineDiff(textLines(other.content), textLines(row.content))
    return {
      from: other.version_no,
      to: row.version_no,
      added: lines.filter(line => line.op === 'add').length,
      removed: lines.filter(line => line.op === 'del').length,
      lines,
    }
  },
  publish: async ({ id, version, reason }, context) => {
    const { tx, now, log } = context
    const row = await held(context, 'publish', { id, version })
    await mayGoOut(context, row, null)
    for (const old of await supersede(tx, row.type, now))
      log({
        object_type: 'agreement',
        object_id: old.id,
        object_label: label({ ...row, version_no: old.version_no }),
        before: { state: 'effective' },
        after: { state: 'superseded' },
        reason,
      })
    return saved(context, row, { state: 'effective', effective_at: now }, reason)
  },
  schedule: async ({ id, version, effective_at }, context) => {
    const row = await held(context, 'schedule', { id, version })
    await mayGoOut(context, row, effective_at)
    return saved(context, row, { state: 'scheduled', effective_at })
  },
  withdraw: async ({ id, version, reason }, context) => {
    const row = await held(context, 'withdraw', { id, version })
    return saved(context, row, { state: 'withdrawn', withdraw_reason: reason }, reason)
  },
  preview: async ({ id }, { db, staff }) => {
    const row = await readRow(db, id)
    return {
      title: say(agreementTypes[row.type], staff.lang),
      version_no: row.version_no,
      html: soundHtml(row.content).html,
      summary: row.summary,
      force_consent: row.force_consent,
      effective_at: row.effective_at,
    }
  },
  export: async ({ format, columns, ...filters }, context) => {
    const rows_expected = await consentsMatching(context.tx, filters, context.staff)
    const words = [
      filters.type && agreementTypes[filters.type],
      filters.state && agreementStates[filters.state],
    ].flatMap(text => (text ? [say(text, context.staff.lang)] : []))
    return startExport(context, {
      page: 'system.rules',
      filters,
      filters_text: [...words, filters.keyword ?? '']
        .filter(Boolean)
        .join(say(clause, context.staff.lang)),
      rows_expected,
      format,
      columns,
    })
  },
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

const consentWhere = (filters: Filters, staff: Staff) =>
  and(listWhere(filters), within(staff.scope, { city: member.city_id }))
const consentsMatching = async (db: Db, filters: Filters, staff: Staff): Promise<number> => {
  const [row] = await db
    .select({ n: sql<number>`count(*)::int` })
    .from(agreement_consent)
    .innerJoin(agreement, eq(agreement.id, agreement_consent.agreement_id))
    .innerJoin(member, eq(member.id, agreement_consent.member_id))
    .where(consentWhere(filters, staff))
  return row!.n
}
defineExport('system.rules', {
  title: ['协议同意记录', 'Consents'],
  permit: 'system.rules.export',
  filters: () => ({
    type: { title: ['类型', 'Type'], kind: 'enum', options: agreementTypes },
    state: { title: ['状态', 'State'], kind: 'enum', options: agreementStates },
  }),
  columns: [
    { key: 'type', title: ['协议', 'Agreement'] },
    { key: 'version_no', title: ['版本', 'Version'] },
    { key: 'member_id', title: ['会员编号', 'Member ID'], kind: 'number' },
    { key: 'nickname', title: ['会员', 'Member'] },
    { key: 'phone', title: ['手机号', 'Phone'], field: 'member.phone' },
    { key: 'way', title: ['同意方式', 'How'] },
    { key: 'at', title: ['同意时间', 'When'], kind: 'time' },
  ],
  count: ({ db, staff, filters }) => consentsMatching(db, filters, staff),
  rows: async ({ db, staff, filters, after, limit }) => {
    const rows = await db
      .select({
        id: agreement_consent.id,
        type: agreement.type,
        version_no: agreement.version_no,
        member_id: member.id,
        nickname: member.nickname,
        phone: member.phone,
        way: agreement_consent.way,
        at: agreement_consent.at,
      })
      .from(agreement_consent)
      .innerJoin(agreement, eq(agreement.id, agreement_consent.agreement_id))
      .innerJoin(member, eq(member.id, agreement_consent.member_id))
      .where(
        and(
          consentWhere(filters, staff),
          after === undefined ? undefined : sql`${agreement_consent.id} > ${after}`,
        ),
      )
      .orderBy(asc(agreement_consent.id))
      .limit(limit)
    return {
      rows: rows.map(row => ({
        ...row,
        type: say(agreementTypes[row.type], staff.lang),
        way: say(consentWays[row.way], staff.lang),
      })),
      next: rows.length < limit ? undefined : rows.at(-1)?.id,
    }
  },
})

defineTimer('agreement.effect', '* * * * *', async ({ database, now }) =>
  (await database.transaction(tx => takeEffect(tx, now))) > 0 ? ['agreement'] : [],
)

export const rulesServer = implement(contract, handlers)
