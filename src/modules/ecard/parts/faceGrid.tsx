import { Button } from '@blueprintjs/core'
import { ArrowLeft } from '@blueprintjs/icons'
import { useDispatch } from 'react-redux'
import { CARD_MONEY_MOST, faceFaults, type CardDraft } from '#src/areas/ecard/card.ts'
import { faceCan } from '#src/areas/ecard/face.ts'
import type { Text } from '#src/domain/text.ts'
import { dispatchRead, useRead, useWrite } from '#src/kit/data.ts'
import type { CellValue, GridColumn } from '#src/kit/grid-cells.ts'
import { gridSheet } from '#src/kit/grid-edit.tsx'
import { Answer } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { useSubject } from '#src/kit/workbench.ts'
import { cardFaces as calls, type FaceEdit, type FaceRow } from '../contract/attr.ts'
import './ecard.css'

type Of = Pick<CardDraft, 'type' | 'named' | 'bonus'>
type MoneyKey = 'face_cents' | 'price_cents' | 'bonus_cents' | 'cost_cents'
const always = (): true => true
const belowCost: Text = [
  '低于成本：请先停用该面值，改后由另一人批准再启用',
  'Below cost: disable it first; enable it once another person approves',
]
const columnsOf = (of: Of): readonly GridColumn<FaceRow>[] => {
  const money = (
    key: MoneyKey,
    title: Text,
    { min = 0, edits = always }: { min?: number; edits?: (row: FaceRow) => true | Text } = {},
  ): GridColumn<FaceRow> => ({
    key,
    title,
    width: 108,
    kind: 'money',
    min,
    max: CARD_MONEY_MOST,
    optional: false,
    of: row => row[key],
    edits,
    // An amount that is none yet says so itself; the others wait for it.
    check: (_, row, at: (key: string) => CellValue) => {
      const face = {
        face_cents: Number(at('face_cents')),
        price_cents: Number(at('price_cents')),
        bonus_cents: Number(at('bonus_cents')),
        cost_cents: Number(at('cost_cents')),
      }
      const isLoss = face.price_cents < face.cost_cents && row.status === 'on'
      const isPriced = key === 'price_cents' || key === 'cost_cents'
      return faceFaults(face, of)[key] ?? (isLoss && isPriced ? belowCost : undefined)
    },
  })
  const number = (
    key: 'limit_n' | 'stock_alert',
    title: Text,
    bounds: { min: number; max: number; optional: boolean },
  ): GridColumn<FaceRow> => ({
    key,
    title,
    width: 88,
    kind: 'integer',
    ...bounds,
    of: row => row[key],
    edits: always,
  })
  const counted = (key: 'free_n' | 'held_n' | 'sold_n', title: Text): GridColumn<FaceRow> => ({
    key,
    title,
    width: 72,
    kind: 'integer',
    of: row => row[key],
  })
  return [
    { key: 'name', title: ['规格', 'Face value'], width: 150, kind: 'text', of: row => row.name },
    money('face_cents', ['面值', 'Face'], {
      min: 1,
      edits: row => faceCan('editFace', row, 0),
    }),
    money('price_cents', ['售价', 'Price'], { min: 1 }),
    money('bonus_cents', ['赠送', 'Bonus']),
    money('cost_cents', ['成本', 'Cost']),
    number('limit_n', ['每人限购', 'Per person'], { min: 1, max: 10_000, optional: true }),
    number('stock_alert', ['库存预警', 'Stock alert'], { min: 0, max: 1_000_000, optional: false }),
    counted('free_n', ['未售', 'Unsold']),
    counted('held_n', ['占用', 'Reserved']),
    counted('sold_n', ['已售', 'Sold']),
  ]
}
/** The rows of the list behind are nobody’s subject while cells are. */
const nothing = { rows: [] }
/** The prices of a card's faces, edited as in a spreadsheet: each cell undone and settled by itself. */
export const FaceGrid = ({ card_id, close }: { card_id: number; close: () => void }) => {
  const say = useSay()
  useSubject(nothing)
  const input = { card_id, pageSize: 100 }
  const read = useRead(calls.lst, input)
  const [run] = useWrite(calls.saveGrid)
  const dispatch = useDispatch()
  return (
    <div className="ec-page">
      <Answer of={read}>
        {({ list, card }) =>
          gridSheet<FaceRow>({
            name: `ecard.attr.${card_id}`,
            label: say(['面值规格', 'Face values']),
            rows: list,
            columns: columnsOf(card),
            nameOf: row => row.name,
            reasoned: true,
            save: async ({ rows, reason }) => {
              const edited = rows.map(({ fields, ...one }) => ({ ...one, ...fields }) as FaceEdit)
              const { results } = await run({ rows: edited, reason })
              await dispatchRead(dispatch as never, calls.lst, input, true)
              return results
            },
            aside: (
              <Button size="small" icon={<ArrowLeft />} onClick={close}>
                {say(['返回列表', 'Back to the list'])}
              </Button>
            ),
          })
        }
      </Answer>
    </div>
  )
}
