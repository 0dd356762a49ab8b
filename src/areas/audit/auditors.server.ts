import { sql } from 'drizzle-orm'
import type { Db } from '#src/server/call/implement.ts'
import { checker } from '#src/server/call/permissions.ts'

/** Active people who may do one of the permits. */
export const auditorsWho = async (db: Db, ...permits: string[]) => {
  const people = await db.execute<{
    id: number
    name: string
    account: string
    pinyin: string
    perms: string[][] | null
  }>(sql`
    select a.id, a.name, a.account, a.pinyin, (select jsonb_agg(r.perms) from role r where r.status = 'on' and a.role_ids @> to_jsonb(r.id)) perms
    from admin a where a.status = 'active' order by a.pinyin, a.id`)
  return people.rows.filter(person => permits.some(checker((person.perms ?? []).flat())))
}
/** A page of them, by what was typed of a name. */
export const auditorsPage = async (
  db: Db,
  { page, pageSize, keyword }: { page: number; pageSize: number; keyword?: string | undefined },
  ...permits: string[]
) => {
  const typed = keyword?.toLowerCase() ?? ''
  const people = (await auditorsWho(db, ...permits)).filter(one =>
    `${one.name} ${one.account} ${one.pinyin}`.toLowerCase().includes(typed),
  )
  return {
    list: people
      .slice((page - 1) * pageSize, page * pageSize)
      .map(({ id, name, account }) => ({ id, name, account })),
    total: people.length,
  }
}
