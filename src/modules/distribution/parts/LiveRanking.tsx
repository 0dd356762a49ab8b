import { liveActions as actions, type RankShown } from '#commands/distribution/ranking.ts'
import { measures, RANK_DAYS, ranked } from '#src/areas/ranking/ranking.ts'
import { DAY, dateOf, dayStart, unixNow } from '#src/domain/time.ts'
import { moneyColumn, numberColumn, textColumn } from '#src/kit/cells.tsx'
import { useExport } from '#src/kit/exporting.ts'
import { Choice } from '#src/kit/filters.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { List } from '#src/kit/list.tsx'
import { Period } from '#src/kit/period.tsx'
import { CityFilter, MallFilter } from '#src/kit/places.tsx'
import { Badge } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import { useList } from '#src/kit/uselist.ts'
import { useAction, usePane, useWorkbench } from '#src/kit/workbench.ts'
import { ranking as calls, type LiveRow } from '../contract/ranking.ts'

const USUAL_DAYS = 30
/** The place, and by how many it rose or fell against the period before. */
const Place = ({ row: { place, place_before } }: { row: LiveRow }) => {
  const say = useSay()
  if (place_before === null)
    return (
      <>
        {place} <Badge tone="info">{say(['新上榜', 'new'])}</Badge>
      </>
    )
  const by = place_before - place
  if (by === 0) return <>{place}</>
  return (
    <>
      {place}{' '}
      <Badge tone={by > 0 ? 'good' : 'warn'}>
        {by > 0 ? say(['升 {n}', 'up {n}'], { n: by }) : say(['降 {n}', 'down {n}'], { n: -by })}
      </Badge>
    </>
  )
}
const columns: readonly Column<LiveRow>[] = [
  { key: 'place', title: ['名次', 'Place'], width: 110, cell: row => <Place row={row} /> },
  { ...textColumn('name', ['名称', 'Name'], 200), grow: true },
  moneyColumn('net_cents', ['净销售额', 'Net sales'], 130),
  moneyColumn('paid_cents', ['销售额', 'Sales'], 130),
  numberColumn('orders', ['订单数', 'Orders'], 90),
  numberColumn('customers', ['新客数', 'New customers'], 90),
  { ...moneyColumn('commission_cents', ['佣金', 'Commission'], 130), priority: 1 },
]
/** The ranking as it stands, with the places of the period before. */
export const LiveRanking = () => {
  const say = useSay()
  const pane = usePane()
  const { run } = useWorkbench()
  const list = useList(calls.lst)
  const { who = 'expert', measure = 'net', from, to, city_id, mid } = list.input
  const shown = (): RankShown => {
    const today = dayStart(unixNow())
    // A list is frozen of days that are over: the usual ones end yesterday.
    const last = to ?? (from === undefined ? today - 1 : unixNow())
    const first = from ?? dayStart(last) - (USUAL_DAYS - 1) * DAY
    return {
      id: 1,
      name: `${say(ranked[who])} · ${say(measures[measure])} ${dateOf(first)} – ${dateOf(last)}`,
      who,
      measure,
      from: first,
      to: last,
      ...(city_id !== undefined && { city_id }),
      ...(mid !== undefined && { mid }),
    }
  }
  useAction(
    actions.freezeList,
    () => void run(actions.freezeList, [], { pane: pane.id, on: shown() }),
  )
  useExport(actions.export, calls.export, { list })
  return (
    <List
      of={list}
      label={say(['分销排行榜', 'Ranking'])}
      columns={columns}
      actions={Object.values(actions)}
      filters={
        <>
          <Choice of={list} by="who" label={say(['排什么', 'Subject'])} words={ranked} always />
          <Choice
            of={list}
            by="measure"
            label={say(['按什么排', 'Ranked by'])}
            words={measures}
            always
          />
          <Period
            of={list}
            from="from"
            to="to"
            most={RANK_DAYS}
            usual={['近 30 天', 'Last 30 days']}
          />
          <CityFilter of={list} />
          <MallFilter of={list} />
        </>
      }
    />
  )
}
