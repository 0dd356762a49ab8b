import { Chart } from '#src/kit/chart.tsx'

const [BASE, ROW] = [56, 28]
const count = (value: number): string => value.toLocaleString('en')
type Series = { name: string; kind: 'bar'; values: readonly number[] }
/** Counts as bars that lie below each other, the first on top; one that is taken is told by its place. */
export const Bars = ({
  label,
  names,
  series,
  take,
}: {
  label: string
  names: readonly string[]
  series: readonly Series[]
  take?: (at: number) => void
}) => (
  <Chart
    label={label}
    lying
    height={BASE + names.length * ROW}
    categories={names}
    format={count}
    step={1}
    series={series}
    onPick={take}
  />
)
