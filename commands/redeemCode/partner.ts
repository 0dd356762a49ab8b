import { listTyped, placesFault } from '#src/areas/partner/places.ts'
import { batchRow, type BatchRow } from '#src/modules/redeemCode/contract/index.ts'
import { codePartners as calls } from '#src/modules/redeemCode/contract/partner.ts'
import { ask, type Told } from '../command.ts'
import { batches } from '../pages/redeemCode.ts'
import { idOf, reason, rowActions } from '../record.ts'

const row = rowActions(batches, batchRow)
const none = [
  '合作方还没有接口密钥，请先生成',
  'The partner has no API key: create one first',
] as const
/** The access of the batch's partner, as it was read. */
const access = ([of]: readonly BatchRow[]) => ({ id: of!.api!.id, version: of!.api!.version })
const partnerOf = ({ partner }: BatchRow) => partner
/** The batch is the row, yet what is changed is its partner's, for all batches. */
const ofPartner = ([of]: readonly BatchRow[]): Told | undefined =>
  of && [
    ['「{name}」的全部批次共用此接口', 'One API serves all batches of {name}'],
    { name: of.partner },
  ]
const isNow = (status: 'on' | 'off') => (of: BatchRow) => {
  if (!of.api) return none
  if (of.api.status === status) return true
  return status === 'on'
    ? (['接口已停用', 'The API is disabled'] as const)
    : (['接口未停用', 'The API is not disabled'] as const)
}

/** What is done about the API of a batch's partner. */
export const partnerActions = {
  key: row.row(calls.partnerKey, ['重置合作方接口密钥', 'Reset partner API key'], {
    key: 'y',
    danger: true,
    subject: partnerOf,
    alias: ['生成接口密钥', 'API key of a partner'],
    tells: rows =>
      rows[0] && [
        [
          '「{name}」的新密钥只显示一次；旧密钥 24 小时后失效',
          'The new key of {name} is shown once; the old one expires in 24 h',
        ],
        { name: rows[0].partner },
      ],
    asks: { reason },
    input: (rows, asked) => ({
      ...idOf(rows),
      access_version: rows[0]!.api?.version ?? 0,
      ...asked,
    }),
  }),
  places: row.row(calls.partnerPlaces, ['设置合作方 IP 白名单', 'Set IP allowlist'], {
    key: 'b',
    when: of => of.api !== null || none,
    subject: partnerOf,
    tells: ofPartner,
    asks: {
      ips: ask.text({
        label: ['IP 白名单', 'IP allowlist'],
        max: 1300,
        lines: 4,
        field: 'ip_list',
        initial: rows => (rows[0] as BatchRow | undefined)?.api?.ip_list.join('\n'),
        hint: [
          '每行一个 IP 或网段，如 203.0.113.0/24；至少保留一个',
          'One IP or range per line, such as 203.0.113.0/24; keep at least one',
        ],
        check: typed => placesFault(listTyped(typed)),
      }),
    },
    input: (rows, { ips }) => ({ ...access(rows), ip_list: listTyped(ips) }),
  }),
  stop: row.row(calls.partnerStop, ['停用合作方接口', 'Disable partner API'], {
    key: 'shift+d',
    danger: true,
    when: isNow('on'),
    subject: partnerOf,
    tells: ofPartner,
    asks: { reason },
    input: (rows, asked) => ({ ...access(rows), ...asked }),
  }),
  open: row.row(calls.partnerOpen, ['启用合作方接口', 'Enable partner API'], {
    key: 'shift+o',
    when: isNow('off'),
    subject: partnerOf,
    tells: ofPartner,
    asks: { reason },
    input: (rows, asked) => ({ ...access(rows), ...asked }),
  }),
}
