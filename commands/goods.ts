import { GOODS_MAX, SORT_MAX, type GoodsVerb } from '#src/areas/product/goods.ts'
import type { Call } from '#src/contract/call.ts'
import type { Text } from '#src/domain/text.ts'
import { ask, inAll, type Told } from './command.ts'
import { asking, idsOf, one, reason, type rowActions } from './record.ts'

/** The actions of products that are sold, under the words and keys that they have on every page. */
type One = { id: number; version: number }
type Reasoned = One & { reason: string }
type Calls = {
  onShelf: Call<One, unknown, One>
  offShelf: Call<Reasoned, unknown, One>
  forceOff: Call<Reasoned, unknown, One>
  setSort: Call<One & { sort: number }, unknown, One>
  batchOff: Call<{ ids: number[]; reason: string }, unknown, object>
}
/** `tells` says what becomes of what was sold, before it goes off sale. */
type Of<Row extends One & { sort: number }> = {
  row: ReturnType<typeof rowActions<Row>>['row']
  calls: Calls
  can: (verb: GoodsVerb) => (row: Row) => true | Text
  tells?: (rows: readonly Row[]) => Told | undefined
}
export const shelfActions = <Row extends One & { sort: number }>({
  row,
  calls,
  can,
  tells = () => undefined,
}: Of<Row>) => ({
  onShelf: row(calls.onShelf, ['上架', 'Put on sale'], {
    key: 'o',
    main: true,
    when: can('onShelf'),
    input: one,
    takenBack: 'opposite',
  }),
  offShelf: row(calls.offShelf, ['下架', 'Take off sale'], {
    key: 'p',
    main: 'plain',
    danger: true,
    when: can('offShelf'),
    tells,
    asks: { reason },
    input: asking(asked => asked),
  }),
  setSort: row(calls.setSort, ['修改排序', 'Set the sort order'], {
    key: 'n',
    asks: {
      sort: ask.number({
        label: ['排序', 'Order'],
        min: 0,
        max: SORT_MAX,
        initial: rows => rows[0]?.sort,
        hint: ['数值大的排在前面', 'Highest first'],
      }),
    },
    input: asking(asked => asked),
  }),
  forceOff: row(calls.forceOff, ['违规下架', 'Force off'], {
    danger: true,
    when: can('forceOff'),
    tells,
    asks: {
      reason: { ...reason, hint: ['须重新审核才能上架', 'It needs a new audit to sell again'] },
    },
    input: asking(asked => asked),
  }),
  batchOff: row(calls.batchOff, ['批量下架', 'Take selected off sale'], {
    key: 'shift+x',
    danger: true,
    takes: 'rows',
    most: GOODS_MAX,
    when: can('offShelf'),
    tells: rows => tells(rows) ?? inAll(rows),
    asks: { reason },
    input: (rows, asked) => ({ ...idsOf(rows), ...asked }),
  }),
})
