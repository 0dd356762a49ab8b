import { and, asc, eq, inArray } from 'drizzle-orm'
import { peopleOf, type CodeBody } from '#src/areas/channelCode/channelCode.ts'
import {
  shownCodes,
  shownPeople,
  tagNames,
  versionOf,
  versionsOf,
} from '#src/areas/channelCode/codeRows.server.ts'
import {
  addDraft,
  codeFor,
  codes,
  publishBody,
  saveDraft,
  writtenOf,
  type Code,
} from '#src/areas/channelCode/codes.server.ts'
import { needDraft, needSound } from '#src/areas/channelCode/codeSaving.server.ts'
import { welcomeFor } from '#src/areas/channelCode/welcome.server.ts'
import { staffSeen } from '#src/areas/wecom/staff.server.ts'
import { wecom_staff } from '#src/areas/wecom/wecom.table.ts'
import { wecom_welcome } from '#src/areas/welcome/welcome.table.ts'
import { implement, type Handler, type WriteContext } from '#src/server/call/implement.ts'
import { holding } from '#src/server/call/record.ts'
import { invalid, ruled } from '#src/server/call/refuse.ts'
import { needsNoScope } from '#src/server/call/scope.ts'
import { sameContent } from '#src/server/call/versions.ts'
import { countOf } from '#src/server/db/paging.ts'
import { codeEdit as contract } from '../contract/code.ts'

type Sent = Parameters<Handler<typeof contract.save>>[0]
const w = wecom_welcome
const ofCodes = and(eq(w.scope, 'code'), eq(w.status, 'enabled'))

/** The code that a form is about as the person read it; undefined where it is a new one. */
const heldOf = async (
  context: WriteContext,
  { id, version }: Sent,
  verb: 'edit' | 'publish',
): Promise<Code | undefined> => {
  if (id === undefined) return undefined
  if (version === undefined)
    throw invalid({ version: ['缺少版本', 'It needs the version that was read'] })
  return codeFor(context, verb, { id, version })
}
const bodyOf = ({ id: _, version: __, ...body }: Sent): CodeBody => body

const handlers = {
  detail: async ({ id }, { db, staff, now }) => {
    const code = await codes.read(db, staff, id)
    const [shown] = await shownCodes(db, [code], { now, lang: staff.lang })
    const body = writtenOf(code)
    const tags = await tagNames(db, body.tag_ids)
    const [welcome] =
      body.welcome_id === null
        ? []
        : await db.select({ name: w.name }).from(w).where(eq(w.id, body.welcome_id))
    return {
      ...shown!,
      body,
      live: code.rev > 0 && !sameContent(code.body, body) ? code.body : null,
      people: await shownPeople(db, [...new Set([...peopleOf(body), ...peopleOf(code.body)])], {
        state_key: code.state_key,
        lang: staff.lang,
        now,
      }),
      tag_names: [...tags].map(([id, name]) => ({ id, name })),
      welcome_name: welcome?.name ?? '',
      versions: await versionsOf(db, id),
    }
  },
  people: async ({ ids, code_id }, { db, staff, now }) => {
    const rows = await db
      .select({ userid: wecom_staff.userid })
      .from(wecom_staff)
      .where(and(inArray(wecom_staff.id, ids), staffSeen(staff)))
    const code = code_id === undefined ? undefined : await codes.read(db, staff, code_id)
    const userids = rows.map(row => row.userid)
    const of = { state_key: code?.state_key ?? '', lang: staff.lang, now }
    return { list: await shownPeople(db, userids, of) }
  },
  welcomes: async ({ keyword, page, pageSize }, { db, staff }) => {
    needsNoScope(staff)
    const where = and(ofCodes, holding(keyword, [w.name]))
    const list = await db
      .select({ id: w.id, name: w.name, text: w.text })
      .from(w)
      .where(where)
      .orderBy(asc(w.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize)
    return { list, ...(await countOf(db, w, where)) }
  },
  welcomeAt: async ({ staff_id, at, welcome_id }, { db, staff }) => {
    needsNoScope(staff)
    const of = { staff_id, at, welcome_id: welcome_id ?? null, lang: staff.lang }
    return { welcome: await welcomeFor(db, of) }
  },
  save: async (sent, context) => {
    const code = await heldOf(context, sent, 'edit')
    const body = bodyOf(sent)
    await needDraft(context, body, code?.body)
    return code ? saveDraft(context, code, body) : addDraft(context, body)
  },
  publish: async (sent, context) => {
    const code = await heldOf(context, sent, 'publish')
    const body = bodyOf(sent)
    await needSound(context, body, code?.body)
    return publishBody(context, code ?? (await addDraft(context, body)), body)
  },
  restore: async ({ rev, ...one }, context) => {
    const code = await codeFor(context, 'edit', one)
    const version = await versionOf(context.tx, code.id, rev)
    if (!version)
      throw ruled('no_version', ['没有版本 {rev}', 'There is no version {rev}'], { rev })
    return saveDraft(context, code, version.body)
  },
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

export const codeEditServer = implement(contract, handlers)
