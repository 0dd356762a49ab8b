import { offeredReasons } from '#commands/order/reasons.ts'
import { refundReasons } from '#src/areas/refund/refund.ts'
import { useRead } from '#src/kit/data.ts'
import { Choice } from '#src/kit/filters.tsx'
import { useSay } from '#src/kit/text.ts'
import type { Filtered } from '#src/kit/uselist.ts'

/**
 * Filters cases by the reason that they were given: those of /config/afterSales as they are called
 * there, switched off or not, then what only the system gives.
 */
export const ReasonFilter = ({ of }: { of: Filtered }) => {
  const say = useSay()
  const own = useRead(offeredReasons, { off: true }).data?.list ?? []
  const known = new Set(own.map(one => one.code))
  const builtIn = Object.entries(refundReasons).filter(([code]) => !known.has(code))
  return (
    <Choice
      of={of}
      by="reason_code"
      label={say(['原因', 'Reason'])}
      options={[
        ...own.map(({ code, text }) => ({ value: code, label: text })),
        ...builtIn.map(([code, text]) => ({ value: code, label: say(text) })),
      ]}
    />
  )
}
