import { sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import { comma, say, type Lang } from '#src/domain/text.ts'
import type { Db } from '#src/server/call/implement.ts'

/** The names of these malls, listed for a reader of a language; empty for headquarters. */
export const mallsNamed = (mall_ids: SQLWrapper, lang: Lang): SQL<string> =>
  sql<string>`coalesce((select string_agg(m.name, ${say(comma, lang)} order by m.id)
    from mall m where m.id = any(${mall_ids})), '')`
/**
 * Gives every adviser the malls of their departments: of each the nearest one, upwards from itself,
 * that is bound to some. Advisers of none are of headquarters. Answers how many moved.
 */
export const placeStaff = async (tx: Db): Promise<number> => {
  const { rows } = await tx.execute(sql`
    with recursive up as (
      select d.id as of, d.dept_id, d.id as at, d.parent_id, 0 as far from wecom_department d
      union all
      select up.of, up.dept_id, p.id, p.parent_id, up.far + 1 from up
        join wecom_department p on p.id = up.parent_id where up.far < 20
    ), bound as (
      select up.of, up.dept_id, up.far, b.mall_id from up
        join wecom_department_mall b on b.department_id = up.at
    ), near as (
      select b.dept_id, b.mall_id from bound b
        where b.far = (select min(o.far) from bound o where o.of = b.of)
    ), placed as (
      select s.id, coalesce(array_agg(distinct n.mall_id order by n.mall_id)
        filter (where n.mall_id is not null), '{}') malls
      from wecom_staff s left join near n on n.dept_id = any(s.department_ids) group by s.id
    )
    update wecom_staff s set mall_ids = p.malls, version = s.version + 1 from placed p
    where p.id = s.id and s.mall_ids <> p.malls returning s.id`)
  return rows.length
}
