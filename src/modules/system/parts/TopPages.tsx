import { useMemo } from 'react'
import { clickEntries, clickTypes } from '#src/areas/link/clicks.ts'
import type { ClickRow } from '#src/contract/clicks.ts'
import { timeFull } from '#src/domain/time.ts'
import { useRead } from '#src/kit/data.ts'
import { Section } from '#src/kit/show.tsx'
import { Empty, Unanswered } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import type { ListState } from '#src/kit/uselist.ts'
import { history as calls } from '../contract/history.ts'
import { Bars } from './Bars.tsx'
import { Beside } from './Beside.tsx'
import { onlyBy } from './logList.ts'

type Ranked = { name: string; pv: number; uv: number }
/** Views and visitors of each, the most viewed on top; the one that is taken is told by its place. */
const Ranking = ({
  label,
  rows,
  take,
}: {
  label: string
  rows: readonly Ranked[]
  take: (at: number) => void
}) => {
  const say = useSay()
  const names = useMemo(() => rows.map(one => one.name), [rows])
  const series = useMemo(
    () => [
      { name: say(['浏览', 'Views']), kind: 'bar' as const, values: rows.map(one => one.pv) },
      { name: say(['访客', 'Visitors']), kind: 'bar' as const, values: rows.map(one => one.uv) },
    ],
    [rows, say],
  )
  return <Bars label={label} names={names} series={series} take={take} />
}

/** What is looked at most, and by which entries people come in; a bar narrows the list to itself. */
export const TopPages = ({ list }: { list: ListState<ClickRow> }) => {
  const say = useSay()
  const { object_type, entry, city_id, mid, start_at, end_at } = list.input as Record<string, never>
  const asked = Object.fromEntries(
    Object.entries({ object_type, entry, city_id, mid, start_at, end_at }).filter(
      ([, value]) => value !== undefined,
    ),
  )
  const read = useRead(calls.topPages, asked)
  const { data } = read
  const entries = useMemo(
    () =>
      (data?.entries ?? []).map(one => ({
        ...one,
        name: say(clickEntries[one.entry as keyof typeof clickEntries] ?? [one.entry, one.entry]),
      })),
    [data, say],
  )
  const pages = useMemo(
    () =>
      (data?.list ?? []).map(one => ({
        ...one,
        name: `${say(clickTypes[one.object_type])} · ${one.object_name || `#${one.object_id}`}`,
      })),
    [data, say],
  )
  if (!data) return <Unanswered of={read} lines={12} />
  const open = (by: object) =>
    list.filter(onlyBy(list.input, { ...asked, start_at: data.from, end_at: data.to, ...by }))
  return (
    <Beside label={say(['热门页面排行', 'Top pages'])}>
      <header className="l-head">
        <h2>{say(['热门页面排行', 'Top pages'])}</h2>
        <p className="m-num">
          {timeFull(data.from).slice(0, 16)} – {timeFull(data.to).slice(0, 16)}
        </p>
      </header>
      {pages.length === 0 ? (
        <Empty title={say(['这段时间没有访问', 'No visit in this period'])} />
      ) : (
        <>
          <Section title={say(['来源入口', 'Entries'])}>
            <Ranking
              label={say(['来源入口排行', 'Entries by views'])}
              rows={entries}
              take={at => open({ entry: entries[at]!.entry })}
            />
          </Section>
          <Section title={say(['页面与对象', 'Pages and objects'])}>
            <Ranking
              label={say(['页面与对象排行', 'Pages and objects by views'])}
              rows={pages}
              take={at => {
                const one = pages[at]!
                open({ object_type: one.object_type, object_id: one.object_id || undefined })
              }}
            />
          </Section>
        </>
      )}
    </Beside>
  )
}
