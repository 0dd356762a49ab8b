import type { Logger } from 'pino'
import type { z } from 'zod'
import type { Call } from '#src/contract/call.ts'
import { sessionCodes, type ChangedBy, type Envelope } from '#src/contract/envelope.ts'
import { fromQuery } from '#src/contract/query.ts'
import { say, type Lang, type Text } from '#src/domain/text.ts'
import { unixNow } from '#src/domain/time.ts'
import type { Database } from '#src/server/db/database.ts'
import { faultOf, leftOut } from '#src/server/db/faults.ts'
import { noteExportCall } from '#src/server/exports/exports.ts'
import type { Events } from '#src/server/live/events.ts'
import { withTry } from '#src/server/sessions/lockout.ts'
import {
  findSession,
  slide,
  stillMay,
  type Signed,
  type SignedOut,
} from '#src/server/sessions/sessions.ts'
import { afterAhead, aheadOf } from './ahead.ts'
import { refusalOf } from './faultRefusals.ts'
import { fieldWalk, guardedAbout, noteGuards, type FieldRules } from './fields.ts'
import { searchable } from './finds.ts'
import { isKeyTaken, keepAnswer, keyOf, requestHash, takeKey } from './idempotency.ts'
import type {
  Caller,
  Db,
  Install,
  LogEntry,
  ReadContext,
  Staff,
  WriteContext,
} from './implement.ts'
import { logCall, logRefusal, nameAction } from './oplog.ts'
import { parseInput } from './parse.ts'
import { forbidden, invalid, Refusal } from './refuse.ts'
import { nothing } from './scope.ts'
import { checkScope, scoped } from './scoped.ts'
import { keepUndo, noteHandler } from './undo.ts'
import { changedByFor } from './versions.ts'

/** What every call needs around it. */
export type Core = { database: Database; events: Events; install: Install; log: Logger }
/** A request as far as calls know it. Header names in lower case. */
export type Asked = {
  headers: Readonly<Record<string, string | string[] | undefined>>
  query: Readonly<Record<string, unknown>>
  body: unknown
  ip: string
  request_id: string
}
export type Answer = {
  http: number
  envelope: Envelope
  headers?: Record<string, string>
  staff_id?: number
}

type Guarded = (input: unknown, context: WriteContext) => Promise<unknown>
type AnyHandler = (input: unknown, context: never) => Promise<unknown>
export type Prepared = {
  call: Call
  handler: AnyHandler
  ahead: ReturnType<typeof aheadOf>
  rules: ((value: unknown, rules: FieldRules) => unknown) | undefined
  done: Text
}

const permitForm = /^[A-Za-z]\w*(\.[A-Za-z]\w*)+$/
/**
 * Makes a call ready to run. A call without a permit or a scope does not boot: nothing is open
 * because somebody forgot.
 */
export const prepare = (call: Call, handler: unknown): Prepared => {
  const permit: unknown = call.permit
  if (
    typeof permit !== 'string' ||
    !(permit === 'public' || permit === 'signed-in' || permitForm.test(permit))
  )
    throw new Error(`${call.method} ${call.path} has no permit`)
  if (call.apart && !call.quiet)
    throw new Error(
      `${call.path} is apart, so it can't be logged in its transaction: it must be quiet`,
    )
  if (typeof handler !== 'function') throw new Error(`${call.method} ${call.path} has no handler`)
  checkScope(call)
  const guarded = scoped(call, handler as Guarded)
  nameAction(call)
  noteHandler(call, guarded)
  noteGuards(call)
  noteExportCall(call, guarded)
  return {
    call,
    handler: guarded as AnyHandler,
    ahead: aheadOf(handler),
    rules: fieldWalk(call.output),
    done: ['操作成功', 'Done'],
  }
}

export const langOf = (header: unknown): Lang =>
  typeof header === 'string' && /^\s*en/i.test(header) ? 'en' : 'zh'
const regionOf = (header: unknown): string =>
  typeof header === 'string' && /^[\w-]{1,16}$/.test(header) ? header : 'pro'
/** The token of `Authori-zation: Bearer …`; undefined for none or a garbled one. */
const tokenOf = (header: unknown): string | undefined =>
  typeof header === 'string' ? /^Bearer ([\w-]{20,128})$/.exec(header)?.[1] : undefined
export const callerOf = (asked: Pick<Asked, 'headers' | 'ip'>): Caller => {
  const token = tokenOf(asked.headers['authori-zation'])
  return {
    ip: asked.ip.slice(0, 45),
    ua: String(asked.headers['user-agent'] ?? '').slice(0, 255),
    region: regionOf(asked.headers['region']),
    lang: langOf(asked.headers['accept-language']),
    ...(token && { token }),
  }
}

const nobody = (lang: Lang): Staff => ({
  id: 0,
  name: '',
  account: '',
  lang,
  can: permit => permit === 'public',
  scope: nothing,
  refund_limit_cents: 0,
  field: () => 'hide',
  masks: {},
})
const signedOutTexts: Record<SignedOut, Text> = {
  none: ['登录已失效，请重新登录', 'You are signed out, sign in again'],
  disabled: ['账号已停用，请联系管理员', 'The account is disabled, ask an administrator'],
  expired: ['登录已过期，请重新登录', 'Your sign-in has expired, sign in again'],
}
const mayBeforeChange = new Set([
  'session/me',
  'session/changePassword',
  'session/changeInitialPassword',
  'logout',
])
const mustChange = () =>
  new Refusal(
    403,
    ['请先修改初始密码', 'Change the initial password first'],
    {},
    { rule: 'must_change' },
  )

/** The caller, or the refusal with the session's code. */
export const signIn = async (core: Core, caller: Caller, now: number): Promise<Signed> => {
  const found = caller.token
    ? await findSession(core.database.db, caller.token, caller.lang, now)
    : 'none'
  if (typeof found === 'string') throw new Refusal(sessionCodes[found], signedOutTexts[found])
  return found
}

/** 41000x travels as HTTP 401; everything else as itself. */
export const httpOf = (status: number): number => (status >= 410000 ? 401 : status)
export const envelopeOf = (status: number, message: string, data: unknown): Envelope => ({
  status,
  msg: message,
  message,
  data: data ?? null,
})
/**
 * The answer of a call that was refused or failed. What was unexpected goes to the log, never to
 * the caller.
 */
export const refused = (
  core: Pick<Core, 'log'>,
  error: unknown,
  asked: { request_id: string; lang: Lang },
): Answer => {
  const refusal = refusalOf(error)
  if (!refusal) core.log.error({ err: error, request_id: asked.request_id }, 'a call failed')
  const status = refusal?.status ?? 500
  const data = refusal?.dataIn(asked.lang) ?? { request_id: asked.request_id }
  const message =
    refusal?.in(asked.lang) ??
    say(
      [
        '服务器出错，请稍后重试；如仍失败请把编号 {id} 告诉管理员',
        'The server failed; try again, and tell an administrator the number {id} if it persists',
      ],
      asked.lang,
      { id: asked.request_id },
    )
  return {
    http: httpOf(status),
    envelope: envelopeOf(status, message, Object.keys(data).length > 0 ? data : null),
    ...(status === 503 && { headers: { 'retry-after': '3' } }),
  }
}

/**
 * What a refusal tells of a row, as its reader may have it: the row by their field rules, as no
 * contract says what it is, and who changed it.
 */
const shielded = ({ touches }: Call, error: unknown, staff: Staff): unknown => {
  if (!(error instanceof Refusal)) return error
  const { current, by } = error.data
  if (current === undefined && by === undefined) return error
  return new Refusal(error.status, error.text, error.values, {
    ...error.data,
    ...(current !== undefined && { current: guardedAbout(touches, current, staff) }),
    ...(by !== undefined && { by: changedByFor(by as ChangedBy, staff.id) }),
  })
}

/** Runs a write; one that asks for the password again counts as a sign-in does. */
const tried = <T>(
  { database: { db } }: Core,
  { tries }: Call,
  { staff, caller, now }: Pick<ReadContext, 'staff' | 'caller' | 'now'>,
  run: () => Promise<T>,
): Promise<T> =>
  tries ? withTry(db, { account: staff.account, ip: caller.ip, ua: caller.ua }, now, run) : run()

/** Runs one call from request to envelope. Never throws. */
export const answer = async (core: Core, prepared: Prepared, asked: Asked): Promise<Answer> => {
  const { call } = prepared
  const caller = callerOf(asked)
  const now = unixNow()
  let staff = nobody(caller.lang)
  let input: unknown
  let signed: Signed | undefined
  try {
    if (call.permit !== 'public') {
      signed = await signIn(core, caller, now)
      staff = signed.staff
      if (!staff.can(call.permit)) throw forbidden()
      if (signed.must_change && !mayBeforeChange.has(call.path)) throw mustChange()
      await slide(core.database.db, signed, now, core.install.limits).catch(leftOut)
      caller.session_id = signed.session_id
    }
    input = inputOf(call, asked, caller.lang)
    const common = { staff, now, request_id: asked.request_id, caller, install: core.install }
    input = await searchable(core, { ...common, call }, input)
    const data =
      call.kind === 'read'
        ? project(
            prepared,
            await (prepared.handler as (input: unknown, context: ReadContext) => Promise<unknown>)(
              input,
              { ...common, db: core.database.db },
            ),
            staff,
          )
        : await tried(core, call, common, () =>
            write(core, prepared, { input, common, signed, asked }),
          )
    return {
      http: 200,
      envelope: envelopeOf(200, say(prepared.done, caller.lang), data),
      staff_id: staff.id,
    }
  } catch (error) {
    const answered = refused(core, signed ? shielded(call, error, staff) : error, {
      request_id: asked.request_id,
      lang: caller.lang,
    })
    if (call.kind === 'write' && error instanceof Refusal && error.keeps)
      await core.database.transaction(tx => error.keeps!(tx)).catch(leftOut)
    if (call.kind === 'write' && !call.quiet && staff.id > 0) {
      const { status, message, data } = answered.envelope
      // Only the names of the fields are kept of rubbish.
      const kept =
        input ??
        (status === 400
          ? { fields: Object.keys((data as { fields?: object } | null)?.fields ?? {}) }
          : null)
      await logRefusal(
        core.database.db,
        { call, staff, ip: caller.ip, request_id: asked.request_id },
        kept,
        { result: status >= 500 && status < 600 ? 'failed' : 'refused', error: message },
      ).catch(fault =>
        core.log.warn(
          { code: faultOf(fault)?.code, request_id: asked.request_id },
          'a refusal could not be logged',
        ),
      )
    }
    return { ...answered, staff_id: staff.id }
  }
}

const inputOf = (call: Call, asked: Asked, lang: Lang): unknown => {
  const sent: unknown =
    call.method === 'GET' ? fromQuery(call.input, asked.query) : (asked.body ?? {})
  const shape = (call.input as { shape?: object }).shape ?? {}
  const withoutKey = () => {
    const { request_id: _, ...rest } = sent as Record<string, unknown>
    return rest
  }
  const own =
    typeof sent === 'object' &&
    sent !== null &&
    !Array.isArray(sent) &&
    'request_id' in sent &&
    !Object.hasOwn(shape, 'request_id')
      ? withoutKey()
      : sent
  const parsed = parseInput(call.input, own, lang)
  if ('fields' in parsed) throw invalid(parsed.fields)
  return parsed.input
}

/**
 * What leaves the server: only what the contract names, by the person's field rules. Asked for at
 * once and not later, zod compiles what it checks.
 */
const project = ({ call, rules: walk }: Prepared, result: unknown, rules: FieldRules): unknown => {
  const checked = (call.output as z.ZodType).safeParse(result)
  if (!checked.success)
    throw new Error(
      `${call.path} answers what its contract does not say: ${checked.error.issues
        .slice(0, 5)
        .map(issue => `${issue.path.join('.')} ${issue.code}`)
        .join(', ')}`,
    )
  return walk ? walk(checked.data, rules) : checked.data
}

const write = async (
  core: Core,
  prepared: Prepared,
  {
    input,
    common,
    signed,
    asked,
  }: {
    input: unknown
    common: Omit<ReadContext, 'db'>
    signed: Signed | undefined
    asked: Asked
  },
): Promise<unknown> => {
  const { call } = prepared
  const { staff, now } = common
  const key =
    call.quiet || staff.id === 0 ? undefined : keyOf(asked.headers['idempotency-key'], asked.body)
  const hash = key === undefined ? '' : requestHash(`${call.method} ${call.path}`, input)
  const run = async (tx: Db, ahead: unknown) => {
    // The transaction may run again after a lost race: what it gathers begins anew.
    const entries: LogEntry[] = []
    const tags = new Set(call.touches)
    const ended: number[] = []
    const after: (() => void | Promise<void>)[] = []
    // What any session may do needs no holding; and its own row is what such a call changes, so two
    // at once would lock each other out.
    if (signed && call.permit !== 'signed-in' && !(await stillMay(tx, signed, call.permit)))
      throw forbidden()
    const taken =
      key === undefined
        ? undefined
        : await takeKey(tx, { admin_id: staff.id, key, request_hash: hash, now })
    if (taken && 'answer' in taken) return { data: taken.answer, tags, ended, after, again: true }
    const context: WriteContext = {
      ...common,
      tx,
      ahead,
      log: entry => void entries.push(entry),
      changed: (...more) => more.forEach(tag => tags.add(tag)),
      ended: sessions => void ended.push(...sessions),
      afterCommit: run => void after.push(run),
    }
    const data = project(
      prepared,
      await (prepared.handler as (input: unknown, context: WriteContext) => Promise<unknown>)(
        input,
        context,
      ),
      staff,
    )
    if (!call.quiet && staff.id > 0)
      await logCall(
        tx,
        { call, staff, ip: common.caller.ip, request_id: common.request_id },
        input,
        entries,
      )
    if (
      call.kind === 'write' &&
      (await keepUndo(tx, { call, staff, now, key }, { input, data }, entries))
    )
      tags.add('undo')
    if (taken) await keepAnswer(tx, taken.id, data)
    await core.events.announce(tx, { tags: [...tags], by: staff.id, ended })
    return { data, tags, ended, after, again: false }
  }
  const { db } = core.database
  const ahead = async () =>
    prepared.ahead && !(await isKeyTaken(db, { admin_id: staff.id, key, now }))
      ? prepared.ahead(input, { ...common, db })
      : undefined
  const done = await afterAhead(ahead, kept =>
    call.apart ? run(db, kept) : core.database.transaction(tx => run(tx, kept)),
  )
  if (done.again) return done.data
  core.events.emit({ tags: [...done.tags], by: staff.id, ended: done.ended })
  for (const run of done.after) {
    // Committed is committed: what follows may fail without failing the call.
    try {
      await run()
    } catch (error) {
      core.log.warn({ err: error, request_id: common.request_id }, 'after the commit')
    }
  }
  return done.data
}
