import { useRead } from '#src/kit/data.ts'
import { Choice } from '#src/kit/filters.tsx'
import { useSay } from '#src/kit/text.ts'
import type { ListState } from '#src/kit/uselist.ts'
import type { bulks } from '../contract/bulks.ts'
import type { OrderRow } from '../contract/orderRow.ts'

/** Orders that bear a tag, of those in use. */
export const TagChoice = ({ of, call }: { of: ListState<OrderRow>; call: typeof bulks.tags }) => {
  const { data } = useRead(call, {})
  return (
    <Choice
      of={of}
      by="tag"
      label={useSay()(['标签', 'Tag'])}
      options={(data ?? []).map(tag => ({ value: tag, label: tag }))}
    />
  )
}
