import { Button, MenuItem } from '@blueprintjs/core'
import { CaretDown, Cross } from '@blueprintjs/icons'
import { useState } from 'react'
import { useRead } from '#src/kit/data.ts'
import { EntryMenu } from '#src/kit/menu.tsx'
import { Popover } from '#src/kit/popover.tsx'
import { Badge, Money } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import type { ListState } from '#src/kit/uselist.ts'
import { card } from '../contract/card.ts'
import type { OrderRow } from '../contract/orderRow.ts'

/**
 * What the cards of the list are still worth, in all; behind it to whom it is owed, which narrows
 * the list to one merchant.
 */
export const Liability = ({ list }: { list: ListState<OrderRow> }) => {
  const say = useSay()
  const [open, setOpen] = useState(false)
  const { page: _, pageSize: __, sort: ___, ...filters } = list.input as Record<string, unknown>
  const { data } = useRead(card.liability, filters)
  const one = filters['merchant_id'] !== undefined
  return (
    <span className="o-title">
      <Popover
        isOpen={open}
        show={setOpen}
        placement="bottom-end"
        content={
          <EntryMenu aria-label={say(['按商户', 'By merchant'])}>
            {data?.merchants.map(each => (
              <MenuItem
                key={each.id}
                text={
                  <>
                    {each.name}{' '}
                    {each.closed && <Badge tone="bad">{say(['已停业', 'Closed'])}</Badge>}
                  </>
                }
                labelElement={
                  <>
                    <Money cents={each.left_cents} sign />{' '}
                    <span className="m-muted">
                      {say(['{n} 单', '{n} orders'], { n: each.orders })}
                    </span>
                  </>
                }
                onClick={() => list.filter({ merchant_id: each.id })}
              />
            ))}
            {data?.merchants.length === 0 && (
              <MenuItem disabled text={say(['没有未消费的卡', 'No card has anything left'])} />
            )}
          </EntryMenu>
        }
      >
        <Button
          size="small"
          variant="minimal"
          endIcon={<CaretDown />}
          onClick={() => setOpen(!open)}
        >
          {say(['未消费余额', 'Unused'])} {data ? <Money cents={data.left_cents} sign /> : '…'}
          {data && (
            <span className="m-muted"> {say(['{n} 次', '{n} uses'], { n: data.left_times })}</span>
          )}
        </Button>
      </Popover>
      {one && (
        <Button
          size="small"
          variant="minimal"
          icon={<Cross />}
          onClick={() => list.filter({ merchant_id: undefined })}
        >
          {say(['全部商户', 'All merchants'])}
        </Button>
      )}
    </span>
  )
}
