import { Button, Dialog, DialogBody } from '@blueprintjs/core'
import { faceFaults, type CardDraft } from '#src/areas/ecard/card.ts'
import { priceBy, type PriceMode } from '#src/areas/ecard/face.ts'
import type { Text } from '#src/domain/text.ts'
import { SmallTable } from '#src/kit/cells.tsx'
import { useWrite } from '#src/kit/data.ts'
import { DialogEnd } from '#src/kit/dialog-end.tsx'
import { useReturnFocus } from '#src/kit/focus.ts'
import { Badge, Money } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import { useWorkbench } from '#src/kit/workbench.ts'
import { cardFaces as calls, type FaceRow } from '../contract/attr.ts'

export type NewPrices = {
  rows: readonly FaceRow[]
  mode: PriceMode
  value: number
  reason: string
}
type Of = Pick<CardDraft, 'type' | 'named' | 'bonus'>
/** The price that a row would have, and why it can't have it. */
const triedOf = (row: FaceRow, of: NewPrices, card: Of): { price: number; fault?: Text } => {
  const price = priceBy(row, of)
  const wrong = faceFaults({ ...row, price_cents: price }, card).price_cents
  if (wrong) return { price, fault: wrong }
  return price < row.cost_cents && row.status === 'on'
    ? { price, fault: ['低于成本，须先停用', 'Below cost: disable it first'] }
    : { price }
}
/** The effect of a change of several prices, face by face, before it is done. */
export const PriceTrial = ({ of, card, close }: { of: NewPrices; card: Of; close: () => void }) => {
  useReturnFocus()
  const say = useSay()
  const { toast } = useWorkbench()
  const [run, { isLoading }] = useWrite(calls.batchPrice)
  const tried = of.rows.map(row => ({ row, ...triedOf(row, of, card) }))
  const good = tried.filter(one => !one.fault)
  const go = async () => {
    const { results } = await run({
      rows: good.map(({ row }) => ({ id: row.id, version: row.version })),
      mode: of.mode,
      value: of.value,
      reason: of.reason,
    })
    const n = results.filter(one => one.result === 'saved').length
    toast(
      say(['已改 {n} 个面值，{left} 个未改', '{n} changed, {left} unchanged'], {
        n,
        left: of.rows.length - n,
      }),
      n < good.length ? 'warning' : 'success',
    )
    close()
  }
  return (
    <Dialog
      isOpen
      onClose={close}
      canOutsideClickClose={false}
      title={say(['批量改价试算', 'Trial of new prices'])}
      style={{ width: 560 }}
    >
      <DialogBody>
        <SmallTable
          head={[
            ['面值', 'Face'],
            ['现价', 'Current price'],
            ['新价', 'New price'],
            ['毛利', 'Margin'],
            ['结果', 'Result'],
          ]}
          rows={tried}
          keyOf={one => one.row.id}
          cells={({ row, price, fault }) => [
            <Money key="face" cents={row.face_cents} />,
            <Money key="now" cents={row.price_cents} />,
            <Money key="new" cents={price} />,
            <Money key="earns" cents={price - row.cost_cents} />,
            fault ? (
              <Badge key="result" tone="bad">
                {say(fault)}
              </Badge>
            ) : (
              <Badge key="result" tone="good">
                {say(['可改', 'Can change'])}
              </Badge>
            ),
          ]}
        />
      </DialogBody>
      <DialogEnd close={close}>
        <Button
          intent="primary"
          autoFocus
          data-autofocus
          disabled={good.length === 0}
          loading={isLoading}
          onClick={() => void go().catch(() => {})}
        >
          {say(['确认改价 {n} 个', 'Change {n}'], { n: good.length })}
        </Button>
      </DialogEnd>
    </Dialog>
  )
}
