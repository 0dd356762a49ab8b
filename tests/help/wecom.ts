import { wecomClient, type WecomClient } from '#src/areas/wecom/client.channel.ts'
import type { CorpBody } from '#src/areas/wecom/corp.channel.ts'
import { embeddedWecom, type EmbeddedWecom } from '#src/areas/wecom/embeddedWecom.channel.ts'
import type { WecomFault } from '#src/areas/wecom/wecomFault.ts'
import { wecom_corp_object, type CorpObjectKind } from '#src/areas/wecom/wecomPort.table.ts'
import { unixNow } from '#src/domain/time.ts'
import type { Database } from '#src/server/db/database.ts'
import { atEnd } from '../farm/ends.ts'

/** Keys of a corp that only tests know. */
export const wecomKeys = { corp_id: 'wwtests0000000001', secret: 'secret-of-tests-0123456789' }
/** Puts objects into the corp that the embedded server speaks for. */
export const corpObjects = async <K extends CorpObjectKind>(
  { db }: Pick<Database, 'db'>,
  kind: K,
  bodies: readonly (readonly [key: string, body: CorpBody[K]])[],
): Promise<void> => {
  if (bodies.length > 0)
    await db.insert(wecom_corp_object).values(bodies.map(([key, body]) => ({ kind, key, body })))
}
/** A member of staff; in service unless said. */
export const corpUser = (
  userid: string,
  more: Partial<CorpBody['user']> = {},
): readonly [string, CorpBody['user']] => [
  userid,
  { userid, name: `员工${userid}`, department: [1], main_department: 1, status: 1, ...more },
]
/** A customer whom some members follow. */
export const corpExternal = (
  external_userid: string,
  followers: readonly string[],
  more: Partial<CorpBody['external']['external_contact']> = {},
): readonly [string, CorpBody['external']] => [
  external_userid,
  {
    external_contact: { external_userid, name: `客户${external_userid}`, type: 1, ...more },
    follow_user: followers.map(userid => ({
      userid,
      remark: '',
      description: '',
      createtime: unixNow() - 1000,
      tags: [],
      add_way: 1,
    })),
  },
]
/** Leaves nothing of a corp that the demo has made. */
export const emptyCorp = async ({ db }: Pick<Database, 'db'>): Promise<void> =>
  void (await db.delete(wecom_corp_object))

/** A WeCom and a client of it, which waits for nothing; both end with the file. */
export const wecomPair = (
  database: Database,
  more: Partial<Parameters<typeof embeddedWecom>[0]> = {},
  around: Parameters<typeof wecomClient>[2] = {},
): { wecom: EmbeddedWecom; client: WecomClient; paused: number[] } => {
  const wecom = embeddedWecom({ database, keys: wecomKeys, ...more })
  atEnd(wecom.close)
  const paused: number[] = []
  const client = wecomClient(wecomKeys, database, {
    api: wecom.url,
    sleep: async ms => void paused.push(ms),
    ...(more.now && { now: more.now }),
    ...around,
  })
  return { wecom, client, paused }
}
/** What was said, or the test fails with the fault. */
export const saidBy = <T>(answer: { said: T } | { fault: WecomFault }): T => {
  if ('said' in answer) return answer.said
  throw new Error(`${answer.fault.code} ${answer.fault.text[0]}`)
}
/** The fault, or the test fails. */
export const faultBy = (answer: { said: unknown } | { fault: WecomFault }): WecomFault => {
  if ('fault' in answer) return answer.fault
  throw new Error(`no fault: ${JSON.stringify(answer.said)}`)
}
