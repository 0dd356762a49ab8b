import { isValidElement, type ComponentType, type ReactNode } from 'react'
import { yuan } from '#src/domain/money.ts'
import { comma, type Text } from '#src/domain/text.ts'
import type { Column } from './grid.tsx'
import { Badge, Delta, Figure, Money, quantity, SignedSums, When, type ToneName } from './show.tsx'
import { useSay } from './text.ts'

/** Words in the language chosen, where no hook may stand: in the cell of a column. */
export const Words = ({ of }: { of: Text }) => useSay()(of)
/** Names as a list, where no hook may stand; a dash for none. */
export const Listed = ({ of }: { of: readonly string[] }) => of.join(useSay()(comma)) || <None />
export const None = () => <span className="m-muted">—</span>

/** A name with a picture before it or a badge behind it: the name alone gives way. */
export const Tagged = ({
  picture,
  name,
  children,
}: {
  picture?: ReactNode
  name: string
  children?: ReactNode
}) => (
  <span className="m-tagged">
    {picture}
    <span className="m-ellipsis">{name}</span>
    {children}
  </span>
)

/** The states of something: the word of each, its tone and its icon. */
export type States<S extends string = string> = Readonly<
  Record<S, { text: Text; tone?: ToneName; icon?: ComponentType<{ size?: number }> }>
>
/** The states of whatever can be switched off. */
export const onOff: States<'on' | 'off'> = {
  on: { text: ['启用', 'On'], tone: 'good' },
  off: { text: ['停用', 'Off'] },
}
export const State = <S extends string>({
  of,
  in: states,
  title,
}: {
  of: S
  in: States<S>
  title?: string | undefined
}) => {
  const { text, ...look } = states[of]
  return (
    <Badge {...look} {...(title && { title })}>
      <Words of={text} />
    </Badge>
  )
}

/**
 * Columns of what most lists show, by the field of the row: a field that the rows do not have does
 * not compile. What a list shows otherwise it says itself: `{ ...textColumn(…), optional: true }`.
 */
export const textColumn = <K extends string>(
  key: K,
  title: Text,
  width: number,
  show?: (text: string) => ReactNode,
): Column<Readonly<Record<K, string>>> => ({
  key,
  title,
  width,
  cell: row => (row[key] ? (show?.(row[key]) ?? row[key]) : <None />),
  words: row => row[key],
})
/** A column of names: a dash for none. */
export const namesColumn = <Row,>(
  key: string,
  title: Text,
  width: number,
  names: (row: Row) => readonly string[],
): Column<Row> => ({
  key,
  title,
  width,
  cell: row => <Listed of={names(row)} />,
  words: (row, say) => names(row).join(say(comma)),
})
/** A column of quantities. */
export const numberColumn = <K extends string>(
  key: K,
  title: Text,
  width: number,
): Column<Readonly<Record<K, number>>> => ({
  key,
  title,
  width,
  align: 'end',
  cell: row => row[key],
})
/** The numbers of rows, which name them; shown where a person chooses it. */
export const idColumn: Column<Readonly<{ id: number }>> = {
  key: 'id',
  title: ['编号', 'ID'],
  width: 64,
  align: 'end',
  optional: true,
  cell: row => String(row.id),
}
export const timeColumn = <K extends string>(
  key: K,
  title: Text,
  width: number,
): Column<Readonly<Record<K, number | null>>> => ({
  key,
  title,
  width,
  cell: row => <When at={row[key]} />,
})
/** A field that has one of some values, in the words of each. */
export const wordColumn = <K extends string, V extends string>(
  key: K,
  title: Text,
  width: number,
  words: Readonly<Record<V, Text>>,
): Column<Readonly<Record<K, V>>> => ({
  key,
  title,
  width,
  cell: row => <Words of={words[row[key]]} />,
})
export const stateColumn = <K extends string, S extends string>(
  key: K,
  title: Text,
  width: number,
  states: States<S>,
): Column<Readonly<Record<K, S>>> => ({
  key,
  title,
  width,
  cell: row => <State of={row[key]} in={states} />,
})

/** A column of cents; what the person may not see, and what is no amount, is a dash. */
export const moneyColumn = <K extends string>(
  key: K,
  title: Text,
  width: number,
): Column<Readonly<Partial<Record<K, number | null | undefined>>>> => ({
  key,
  title,
  width,
  align: 'end',
  cell: row => <Money cents={row[key]} />,
  words: row => (row[key] == null ? '' : yuan(row[key])),
})

const FIGURES: readonly unknown[] = [Money, Figure, Delta]
/** Figures of a column stand below each other. */
const isFigure = (cell: ReactNode): boolean =>
  typeof cell === 'number' ||
  (typeof cell === 'string' && /^[−-]?[\d,.]+%$/.test(cell)) ||
  (isValidElement(cell) && FIGURES.some(kind => cell.type === kind))
/** A small table within a page: what stands in an inspector beside its facts. */
export const SmallTable = <Row,>({
  head,
  rows,
  keyOf,
  cells,
}: {
  head: readonly Text[]
  rows: readonly Row[]
  keyOf: (row: Row) => string | number
  cells: (row: Row) => readonly ReactNode[]
}) => {
  const say = useSay()
  const drawn = rows.map(row => ({ key: keyOf(row), cells: cells(row) }))
  const alignOf = (at: number) =>
    drawn.some(one => isFigure(one.cells[at])) ? ('end' as const) : undefined
  return (
    <table className="m-table">
      <thead>
        <tr>
          {head.map((title, at) => (
            <th key={title[0]} data-align={alignOf(at)}>
              {say(title)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {drawn.map(row => (
          <tr key={row.key}>
            {row.cells.map((cell, at) => (
              <td key={at} data-align={alignOf(at)}>
                <SignedSums value={false}>{quantity(cell)}</SignedSums>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
