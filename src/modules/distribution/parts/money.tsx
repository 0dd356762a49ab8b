import { yuan } from '#src/domain/money.ts'
import type { Text } from '#src/domain/text.ts'
import type { Column } from '#src/kit/grid.tsx'
import { Money } from '#src/kit/show.tsx'

/** A column of cents; what the person may not see is a dash. */
export const moneyColumn = <K extends string>(
  key: K,
  title: Text,
  width: number,
): Column<Readonly<Record<K, number>> | Readonly<Partial<Record<K, number | undefined>>>> => ({
  key,
  title,
  width,
  align: 'end',
  cell: row => <Money cents={row[key]} />,
  words: row => (row[key] === undefined ? '' : yuan(row[key])),
})
