import { and, asc, desc, eq } from 'drizzle-orm'
import type { Db } from '#src/server/call/implement.ts'
import { holding } from '#src/server/call/record.ts'
import { countOf } from '#src/server/db/paging.ts'
import { wecom_tag, wecom_tag_group } from './wecom.table.ts'

/** The order of WeCom's client: the larger number first, then the older one. */
const tagOrder = [
  desc(wecom_tag_group.sort),
  asc(wecom_tag_group.id),
  desc(wecom_tag.sort),
  asc(wecom_tag.created_at),
  asc(wecom_tag.id),
]
type Asked = { keyword?: string | undefined; page: number; pageSize: number }
/** A page of the corporate tags that WeCom knows, by a part of the name, in WeCom's order. */
export const pickTags = async ({ keyword, page, pageSize }: Asked, { db }: { db: Db }) => {
  const where = and(eq(wecom_tag.status, 'active'), holding(keyword, [wecom_tag.name]))
  const list = await db
    .select({ id: wecom_tag.id, name: wecom_tag.name, group: wecom_tag_group.name })
    .from(wecom_tag)
    .innerJoin(wecom_tag_group, eq(wecom_tag_group.id, wecom_tag.group_id))
    .where(where)
    .orderBy(...tagOrder)
    .limit(pageSize)
    .offset((page - 1) * pageSize)
  return { list, ...(await countOf(db, wecom_tag, where)) }
}
