import { SegmentedControl } from '@blueprintjs/core'
import type { Read, Result } from '#src/contract/call.ts'
import { yuan } from '#src/domain/money.ts'
import { SmallTable } from '#src/kit/cells.tsx'
import { Chart } from '#src/kit/chart.tsx'
import { useRead } from '#src/kit/data.ts'
import { usePaneState } from '#src/kit/memory.ts'
import { Money, Section, shortYuan } from '#src/kit/show.tsx'
import { Answer } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import type { expertDetail } from '../contract/expertDetail.ts'

type Step = 'day' | 'week'
type Told = Result<(typeof expertDetail)['trend']>
/** Sales and refunds of a seller or a team over time, and what sold most through it. */
export const Trend = ({
  id,
  of,
}: {
  id: number
  of: Read<{ id: number; by?: Step }, unknown, Told>
}) => {
  const say = useSay()
  const [by, setBy] = usePaneState<Step>('step', 'day')
  const read = useRead(of, { id, by })
  return (
    <>
      <Section
        title={say(['业绩趋势', 'Sales over time'])}
        aside={
          <SegmentedControl
            size="small"
            aria-label={say(['按日或按周', 'By day or by week'])}
            value={by}
            onValueChange={value => setBy(value as Step)}
            options={[
              { value: 'day', label: say(['30 天', '30 days']) },
              { value: 'week', label: say(['12 周', '12 weeks']) },
            ]}
          />
        }
      >
        <Answer of={read}>
          {({ points }) => (
            <Chart
              label={say(['成交额与退款', 'Sales and refunds'])}
              categories={points.map(point => point.day.slice(5))}
              format={yuan}
              axis={cents => shortYuan(cents, say)}
              unit={say(['元', 'yuan'])}
              height={200}
              series={[
                {
                  name: say(['成交额', 'Sales']),
                  kind: 'line',
                  values: points.map(point => point.gmv_cents ?? 0),
                },
                {
                  name: say(['退款', 'Refunds']),
                  kind: 'line',
                  values: points.map(point => point.refunded_cents),
                },
              ]}
            />
          )}
        </Answer>
      </Section>
      <Section title={say(['90 天热销商品', 'Best sellers, last 90 days'])}>
        <Answer of={read}>
          {({ products }) =>
            products.length === 0 ? (
              <p className="m-muted">{say(['90 天内没有成交', 'No sales in 90 days'])}</p>
            ) : (
              <SmallTable
                head={[
                  ['商品', 'Product'],
                  ['份数', 'Units'],
                  ['成交额', 'Sales'],
                ]}
                rows={products}
                keyOf={row => row.id}
                cells={row => [row.title, row.n, <Money key="gmv" cents={row.gmv_cents} />]}
              />
            )
          }
        </Answer>
      </Section>
    </>
  )
}
