import { sql, type SQL } from 'drizzle-orm'
import { say, type Lang } from '#src/domain/text.ts'
import type { Db } from '#src/server/call/implement.ts'
import { UNKNOWN, attrDimension, bars, dimensions, unknownBar, type Dimension } from './portrait.ts'

/** A dimension with its bars in their order; `UNKNOWN` for those of whom it is not known. */
export type Shape = { key: string; title: string; bars: { key: string; label: string }[] }
const rowsOf: Readonly<Partial<Record<Dimension, SQL>>> = {
  city: sql`select id, city_name as name from city order by id`,
  mall: sql`select id, name from mall order by id`,
  category: sql`select id, name from e_category where parent_id is null order by sort, id`,
  tag: sql`select id, name from member_tag order by id`,
}
const barsOf = async (db: Db, key: Dimension, lang: Lang) => {
  const words = bars[key]
  if (words)
    return Object.entries(words).flatMap(([bar, text]) =>
      bar === 'unknown' ? [] : [{ key: bar, label: say(text, lang) }],
    )
  const { rows } = await db.execute<{ id: number; name: string }>(rowsOf[key]!)
  return rows.map(row => ({ key: String(row.id), label: row.name }))
}
type Attr = { id: number; label: string; options: { key: string; label: string }[] }
/** All dimensions in their order, the attributes of one choice behind the house's own. */
export const shapesOf = async (db: Db, lang: Lang): Promise<Shape[]> => {
  const unknown = { key: UNKNOWN, label: say(unknownBar, lang) }
  const shapes: Shape[] = []
  for (const key of Object.keys(dimensions) as Dimension[])
    shapes.push({
      key,
      title: say(dimensions[key], lang),
      bars: [...(await barsOf(db, key, lang)), ...(key === 'tag' ? [] : [unknown])],
    })
  const { rows } = await db.execute<Attr>(sql`
    select id, label, options from customer_attr where type = 'choice' and status = 'enabled'
    order by sort, id`)
  return [
    ...shapes,
    ...rows.map(row => ({
      key: attrDimension(row.id),
      title: row.label,
      bars: [...row.options, unknown],
    })),
  ]
}
