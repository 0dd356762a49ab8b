import { useMemo } from 'react'
import { Chart } from '#src/kit/chart.tsx'
import { useRead } from '#src/kit/data.ts'
import { Answer } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { banner as calls } from '../contract/banner.ts'

/** Clicks of a banner day by day, and of how many people. */
export const BannerDays = ({ banner_id }: { banner_id: number }) => {
  const say = useSay()
  const read = useRead(calls.clickDays, { banner_id })
  const days = read.currentData?.days
  const categories = useMemo(() => days?.map(({ day }) => day.slice(5)) ?? [], [days])
  const series = useMemo(
    () => [
      {
        name: say(['点击', 'Clicks']),
        kind: 'bar' as const,
        values: days?.map(day => day.clicks) ?? [],
      },
      { name: say(['人数', 'People']), values: days?.map(day => day.users) ?? [] },
    ],
    [days, say],
  )
  return (
    <Answer of={read} lines={5}>
      {() =>
        days?.some(day => day.clicks > 0) && (
          <Chart
            label={say(['近 30 天每日点击', 'Clicks by day, 30 days'])}
            height={180}
            unit={say(['次 / 人', 'clicks, people'])}
            categories={categories}
            series={series}
          />
        )
      }
    </Answer>
  )
}
