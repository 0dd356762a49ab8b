import { and, eq, gt, isNull } from 'drizzle-orm'
import type { Db } from '#src/server/call/implement.ts'
import { plainIp } from './logs.ts'
import { ip_ban } from './trace.table.ts'

/** Until when nobody may sign in from an address; undefined for one that is free. */
export const bannedUntil = async (db: Db, ip: string, now: number): Promise<number | undefined> => {
  const [ban] = await db
    .select({ until_at: ip_ban.until_at })
    .from(ip_ban)
    .where(and(eq(ip_ban.ip, plainIp(ip)), isNull(ip_ban.lifted_at), gt(ip_ban.until_at, now)))
  return ban?.until_at
}
