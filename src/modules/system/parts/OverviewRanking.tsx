import { useMemo } from 'react'
import type { Result } from '#src/contract/call.ts'
import { Chart } from '#src/kit/chart.tsx'
import { useSay } from '#src/kit/text.ts'
import type { dataIndex } from '../contract/dataIndex.ts'

const [BASE, ROW] = [48, 30]
type Ranked = Result<typeof dataIndex.ranking>['list']
/** Places by what they sold, each with its share of all; one that is taken becomes the filter. */
export const OverviewRanking = ({
  list,
  format,
  axis,
  take,
}: {
  list: Ranked
  format: (cents: number) => string
  axis: (cents: number) => string
  take?: ((row: Ranked[number]) => void) | undefined
}) => {
  const say = useSay()
  const categories = useMemo(
    () =>
      list.map(row =>
        row.share_bp === null ? row.name : `${row.name} ${(row.share_bp / 100).toFixed(1)}%`,
      ),
    [list],
  )
  const series = useMemo(
    () => [
      {
        name: say(['成交额', 'Sales']),
        kind: 'bar' as const,
        values: list.map(row => row.gmv_cents ?? null),
      },
    ],
    [list, say],
  )
  return (
    <Chart
      label={say(['成交额排行', 'Ranking by sales'])}
      lying
      height={BASE + list.length * ROW}
      categories={categories}
      format={format}
      axis={axis}
      series={series}
      {...(take && { onPick: (at: number) => take(list[at]!) })}
    />
  )
}
