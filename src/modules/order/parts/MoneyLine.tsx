import { Money } from '#src/kit/show.tsx'

/** A line of a list of amounts. */
export const MoneyLine = ({ label, cents }: { label: string; cents: number }) => (
  <div>
    <dt>{label}</dt>
    <dd>
      <Money cents={cents} />
    </dd>
  </div>
)
