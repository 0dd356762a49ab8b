import { filmStages, type FilmStage } from '#src/areas/film/film.ts'
import type { Text } from '#src/domain/text.ts'
import { useRead } from '#src/kit/data.ts'
import { Money } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import type { ListState } from '#src/kit/uselist.ts'
import { filmOrders as calls, type FilmRow as Row } from '../contract/index.ts'
import './film.css'

const shown = [
  'pending_payment',
  'pending_tickets',
  'settled',
  'refunded',
  'cancelled',
  'freezing',
] as const satisfies readonly FilmStage[]
/** The tabs of the list with their numbers, and what stands in each stage by its other filters. */
export const useStages = (list: ListState<Row>) => {
  const {
    stage: _,
    page: __,
    pageSize: ___,
    sort: ____,
    ...filters
  } = list.input as Record<string, unknown>
  const { data } = useRead(calls.overview, filters)
  const of = (key: FilmStage | '') => {
    const some = (data?.stages ?? []).filter(one => key === '' || one.stage === key)
    return {
      count: some.reduce((sum, one) => sum + one.count, 0),
      cents: some.reduce((sum, one) => sum + one.pay_cents, 0),
    }
  }
  const tab = (key: FilmStage | '', title: Text) => ({
    key,
    title,
    ...(data && { count: of(key).count }),
  })
  return {
    of: data && of,
    tabs: {
      by: 'stage',
      all: [
        tab('', ['全部', 'All']),
        ...(Object.keys(filmStages) as FilmStage[]).map(key => tab(key, filmStages[key])),
      ],
    },
  }
}
/** Counts and sums by stage; each opens the list that it is of. */
export const FilmFigures = ({
  list,
  of,
}: {
  list: ListState<Row>
  of: ((key: FilmStage | '') => { count: number; cents: number }) | undefined
}) => {
  const say = useSay()
  const at = (list.input as { stage?: FilmStage }).stage ?? ''
  const all: readonly (readonly [FilmStage | '', Text])[] = [
    ['', ['全部订单', 'All orders']],
    ...shown.map(key => [key, filmStages[key]] as const),
  ]
  return (
    <div className="fi-figures" role="group" aria-label={say(['影票概览', 'Overview'])}>
      {all.map(([key, title]) => (
        <button
          key={key}
          type="button"
          aria-pressed={at === key}
          onClick={() => list.filter({ stage: key || undefined })}
        >
          <span>{say(title)}</span>
          <b className="m-num">{of ? of(key).count.toLocaleString('en') : '…'}</b>
          <span>{of ? <Money cents={of(key).cents} sign /> : '…'}</span>
        </button>
      ))}
    </div>
  )
}
