import { randomBytes } from 'node:crypto'
import { and, eq, gt, inArray, sql, type SQL } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '#src/server/call/implement.ts'
import { wecom_corp_object, type CorpObjectKind } from './wecomPort.table.ts'
import type {
  WecomContactWay,
  WecomDepartment,
  WecomExternal,
  WecomGroupChat,
  WecomGroupTemplate,
  WecomJoinWay,
  WecomTagGroup,
  WecomUser,
} from './wire.channel.ts'

/** A hand-over that waits, or what came of it. `status` as `transfer_result` answers it. */
export type CorpTransfer = {
  kind: 'on_job' | 'resigned'
  handover_userid: string
  takeover_userid: string
  external_userid: string
  status: number
  at: number
  due_at: number
}
export type CorpMessage = {
  msgid: string
  chat_type: 'single' | 'group'
  create_time: number
  canceled?: boolean
  send_list: { external_userid?: string; chat_id?: string; userid: string; status: number }[]
}
/** A moment of the corp: who is to publish it, and the tags of those who may see it (none: all). */
export type CorpMoment = {
  moment_id: string
  create_time: number
  senders: string[]
  tags: string[]
  invalid_users: string[]
  canceled_at?: number
}
/** What a body is, by its kind. */
export type CorpBody = {
  department: WecomDepartment
  /** `contact: false`: a member who may not contact customers. */
  user: WecomUser & { contact?: boolean }
  tag_group: WecomTagGroup
  external: WecomExternal
  group_chat: WecomGroupChat
  contact_way: WecomContactWay & { create_time?: number }
  join_way: WecomJoinWay
  group_template: WecomGroupTemplate & { template_id: string }
  media: { media_id: string; type: string; created_at: number; name: string }
  msg_template: CorpMessage
  moment: CorpMoment
  transfer: CorpTransfer
}
type Found<K extends CorpObjectKind> = { key: string; body: CorpBody[K] }

/** WeCom's refusal, by its errcode. */
export class CorpRefusal extends Error {
  constructor(
    readonly errcode: number,
    errmsg = 'refused',
  ) {
    super(errmsg)
    this.name = 'CorpRefusal'
  }
}
export const no = (errcode: number, errmsg?: string): never => {
  throw new CorpRefusal(errcode, errmsg)
}

/** The corp's objects in one transaction, at one time (unix seconds). */
export const corpIn = (db: Db, now: number) => {
  const at = (kind: CorpObjectKind, key: string) =>
    and(eq(wecom_corp_object.kind, kind), eq(wecom_corp_object.key, key))
  const one = async <K extends CorpObjectKind>(
    kind: K,
    key: string,
  ): Promise<CorpBody[K] | undefined> => {
    const [row] = await db
      .select({ body: wecom_corp_object.body })
      .from(wecom_corp_object)
      .where(at(kind, key))
    return row?.body as CorpBody[K] | undefined
  }
  const list = async <K extends CorpObjectKind>(
    kind: K,
    { after, limit, where }: { after?: string | undefined; limit?: number; where?: SQL } = {},
  ): Promise<Found<K>[]> => {
    const rows = await db
      .select({ key: wecom_corp_object.key, body: wecom_corp_object.body })
      .from(wecom_corp_object)
      .where(
        and(
          eq(wecom_corp_object.kind, kind),
          after === undefined ? undefined : gt(wecom_corp_object.key, after),
          where,
        ),
      )
      .orderBy(wecom_corp_object.key)
      .limit(limit ?? 100_000)
    return rows as Found<K>[]
  }
  return {
    db,
    now,
    one,
    list,
    some: <K extends CorpObjectKind>(kind: K, keys: readonly string[]): Promise<Found<K>[]> =>
      keys.length === 0
        ? Promise.resolve([])
        : list(kind, { where: inArray(wecom_corp_object.key, [...keys]) }),
    /** Customers that one member follows, by their ids. */
    followedBy: (userid: string, page: { after?: string | undefined; limit?: number } = {}) =>
      list('external', {
        ...page,
        where: sql`${wecom_corp_object.body} -> 'follow_user' @> ${JSON.stringify([{ userid }])}::jsonb`,
      }),
    put: async <K extends CorpObjectKind>(kind: K, key: string, body: CorpBody[K]) =>
      void (await db
        .insert(wecom_corp_object)
        .values({ kind, key, body })
        .onConflictDoUpdate({
          target: [wecom_corp_object.kind, wecom_corp_object.key],
          set: { body },
        })),
    drop: async (kind: CorpObjectKind, key: string): Promise<boolean> =>
      (
        await db
          .delete(wecom_corp_object)
          .where(at(kind, key))
          .returning({ key: wecom_corp_object.key })
      ).length > 0,
    id: (prefix: string): string => `${prefix}${randomBytes(12).toString('hex')}`,
  }
}
export type Corp = ReturnType<typeof corpIn>

/** A call of the server says what it takes, whether it writes and what it answers. */
export type CorpRoute = {
  takes: z.ZodType
  writes: boolean
  /** The errcode where the input is not what it takes. */
  bad: number
  does: (of: never, corp: Corp) => Promise<object>
}
const routeOf =
  (writes: boolean) =>
  <T>(
    takes: z.ZodType<T>,
    does: (of: T, corp: Corp) => Promise<object>,
    bad = 40058,
  ): CorpRoute => ({
    takes,
    writes,
    bad,
    does,
  })
export const reads = routeOf(false)
export const writes = routeOf(true)

/** One page of what was found, one more than the page holds: the last key goes as the cursor. */
export const pageFrom = <T extends { key: string }>(
  found: readonly T[],
  limit: number,
): { rows: readonly T[]; next_cursor: string } => {
  const rows = found.slice(0, limit)
  const next_cursor =
    found.length > limit ? Buffer.from(rows.at(-1)!.key).toString('base64url') : ''
  return { rows, next_cursor }
}
export const afterOf = (cursor: string | undefined): string | undefined =>
  cursor ? Buffer.from(cursor, 'base64url').toString() : undefined

/** A member in service, or a refusal. */
export const inService = async (corp: Corp, userid: string) => {
  const user = await corp.one('user', userid)
  if (!user || user.status === 5) return no(60111, 'userid not found')
  if (user.status !== 1) return no(41054, 'user not activated')
  return user
}
export const mayContact = ({ status, contact }: CorpBody['user']): boolean =>
  status === 1 && contact !== false
