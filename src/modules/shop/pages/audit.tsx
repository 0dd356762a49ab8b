import { shopAuditActions as actions, shopReading as reading } from '#commands/shop/audit.ts'
import {
  applicationCan,
  isWhole,
  kindsIn,
  refuseCodes,
} from '#src/areas/application/application.ts'
import { fieldText } from '#src/areas/application/fieldText.ts'
import { shortApplicationRule } from '#src/areas/application/findings.ts'
import { comma } from '#src/domain/text.ts'
import { unixNow } from '#src/domain/time.ts'
import { queueColumns, queuePage } from '#src/kit/queue-page.tsx'
import { useSay } from '#src/kit/text.ts'
import { shopAudit as calls, type ApplicationItem } from '../contract/audit.ts'
import { ApplicationView } from '../parts/application.tsx'
import '../parts/shop.css'

const Changes = ({ row }: { row: ApplicationItem }) => {
  const say = useSay()
  if (isWhole(row.kind)) return <span className="m-muted">—</span>
  return (
    <>
      {row.changed.map(field => say(fieldText(row.kind, field) ?? [field, field])).join(say(comma))}
    </>
  )
}
const kinds = kindsIn('shop')
const names = { kinds, codes: refuseCodes, flag: shortApplicationRule }

/** What merchants apply for, to be decided one after another. */
export default queuePage({
  calls,
  actions,
  reading,
  decisions: [actions.approve, actions.reject, actions.askMore, actions.blacklist],
  columns: queueColumns<ApplicationItem>(
    names,
    ['商户或门店', 'Merchant or store'],
    [
      {
        key: 'changed',
        title: ['变更内容', 'Changes'],
        width: 180,
        cell: row => <Changes row={row} />,
      },
    ],
  ),
  kinds,
  label: ['入驻申请', 'Applications'],
  placeholder: ['商户名称或编号', 'Merchant or number'],
  mine: (row, me) => applicationCan('approve', row, me, unixNow()) === true,
  pictured: ({ body, store }) => Boolean(body.license_image) || (store?.images.length ?? 0) > 0,
  View: ApplicationView,
})
