import { eq } from 'drizzle-orm'
import { city } from '#src/areas/place/place.table.ts'
import { DAY, HOUR } from '#src/domain/time.ts'
import type { DemoStep } from '#src/server/demo/step.ts'
import { newBlock, pageTypes, type Block, type BlockKind } from './blocks.ts'
import { page_scheme, page_version } from './scheme.table.ts'

const PAGES = 6
const notes = ['首页改版', '春季上新', '调整热门商圈', '增加公告'] as const
const page = (kinds: readonly BlockKind[], notice: string): Block[] =>
  kinds.map((kind, at) => {
    const block = newBlock(kind, `${kind}-${at}`)
    return kind === 'notice' ? { ...block, props: { ...block.props, text: notice } } : block
  })
const kinds: readonly BlockKind[] = ['search', 'notice', 'banner', 'hot_mall', 'gap', 'product']

export const demo: readonly DemoStep[] = [
  {
    place: 51,
    branch: 'schemes',
    run: async (db, random, { now, cityIds, people }) => {
      const editors = people.filter(one => one.role === 'content')
      const editor = () => (editors.length > 0 ? random.pick(editors) : people[0]!).id
      for (const [nth, city_id] of cityIds.slice(0, PAGES).entries()) {
        const [place] = await db.select().from(city).where(eq(city.id, city_id))
        const body = page(kinds, `${place!.city_name}新会员首单立减，详见活动页`)
        const by = editor()
        const [made] = await db
          .insert(page_scheme)
          .values({
            type: 'home',
            city_id,
            name: `${place!.city_name}${pageTypes.home.title[0]}`,
            ...(nth === 1 && { draft: body.slice(0, 4), draft_by: by, draft_at: now - HOUR }),
          })
          .returning()
        const versions = await db
          .insert(page_version)
          .values(
            notes.slice(0, 2 + (nth % 3)).map((note, at) => ({
              scheme_id: made!.id,
              no: at + 1,
              body: body.slice(0, 3 + at),
              note,
              by_admin: by,
              created_at: now - (30 - at * 7) * DAY,
              published_at: now - (30 - at * 7) * DAY,
            })),
          )
          .returning()
        await db
          .update(page_scheme)
          .set({ live_version_id: versions.at(-1)!.id })
          .where(eq(page_scheme.id, made!.id))
      }
      await db.insert(page_scheme).values({
        type: 'home',
        name: '节日模板',
        is_template: true,
        draft: page(kinds, '节日期间营业时间以门店公告为准'),
      })
    },
  },
]
