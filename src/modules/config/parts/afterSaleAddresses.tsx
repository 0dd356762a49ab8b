import { Star } from '@blueprintjs/icons'
import { afterSalesActions as actions } from '#commands/config/afterSales.ts'
import { numberColumn, State, textColumn, type States } from '#src/kit/cells.tsx'
import { Keyword } from '#src/kit/filters.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { Chosen, Inspector } from '#src/kit/inspector.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { Fact, Facts, Section } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import { useList } from '#src/kit/uselist.ts'
import { afterSaleAddresses, type AddressRow } from '../contract/afterSales.ts'

const addressStates: States<'default' | 'other'> = {
  default: { text: ['默认', 'Default'], tone: 'good', icon: Star },
  other: { text: ['备用', 'Other'] },
}
const placeOf = (row: AddressRow) => `${row.area} ${row.address}`
const addressColumns: readonly Column<AddressRow>[] = [
  { ...textColumn('merchant_name', ['商户', 'Merchant'], 180), grow: true },
  {
    key: 'place',
    title: ['地址', 'Address'],
    width: 240,
    cell: placeOf,
    words: placeOf,
    grow: true,
  },
  textColumn('name', ['收件人', 'Name'], 90),
  textColumn('phone', ['电话', 'Phone'], 120),
  {
    key: 'is_default',
    title: ['用途', 'Use'],
    width: 84,
    cell: row => <State of={row.is_default ? 'default' : 'other'} in={addressStates} />,
  },
  numberColumn('returning', ['退货在途', 'On the way'], 92),
]
const addressActions = [
  actions.addAddress,
  actions.editAddress,
  actions.setDefaultAddress,
  actions.delAddress,
]
/** Where goods are sent back to, by merchant. */
export const Addresses = () => {
  const say = useSay()
  const list = useList(afterSaleAddresses.lst)
  return (
    <ListDetail>
      <List
        of={list}
        label={say(['退货地址', 'Return addresses'])}
        columns={addressColumns}
        actions={addressActions}
        filters={
          <Keyword of={list} placeholder={say(['收件人、电话或地址', 'Name, phone or address'])} />
        }
      />
      <Chosen of={list} none={say(['选择一个地址', 'Choose an address'])}>
        {row => (
          <Inspector
            title={row.merchant_name}
            aside={<State of={row.is_default ? 'default' : 'other'} in={addressStates} />}
          >
            <Section title={say(['收件', 'To'])}>
              <Facts>
                <Fact label={say(['收件人', 'Name'])}>{row.name}</Fact>
                <Fact label={say(['电话', 'Phone'])}>{row.phone}</Fact>
                <Fact wide label={say(['地址', 'Address'])}>
                  {placeOf(row)}
                </Fact>
                <Fact label={say(['退货在途', 'On the way'])}>{row.returning}</Fact>
              </Facts>
            </Section>
          </Inspector>
        )}
      </Chosen>
    </ListDetail>
  )
}
