import { onOff, type ObjectWord } from '#src/areas/log/objectWord.ts'
import { limitResults } from './limits.ts'
import { limitDimensions, limitedKinds, limitScopes, limitWays, limitWindows } from './rule.ts'

/** What the operation log calls the objects of this area and their fields. */
export const logged: Readonly<Record<string, ObjectWord>> = {
  buy_limit_rule: {
    title: ['限购规则', 'Purchase-limit rule'],
    fields: {
      name: { title: ['名称', 'Name'] },
      scope_kind: { title: ['范围', 'Scope'], kind: 'enum', options: limitScopes },
      scope_ids: { title: ['范围编号', 'IDs of the scope'], kind: 'list' },
      ways: { title: ['活动', 'Activities'], kind: 'enums', options: limitWays },
      product_kind: { title: ['商品类型', 'Kind of product'], kind: 'enum', options: limitedKinds },
      dimension: { title: ['限购维度', 'Counted by'], kind: 'enum', options: limitDimensions },
      per: { title: ['周期', 'Window'], kind: 'enum', options: limitWindows },
      qty: { title: ['件数', 'Quantity'], kind: 'number' },
      level_qty: { title: ['等级件数', 'Pieces by level'], kind: 'list' },
      return_on_refund: { title: ['退款返还额度', 'Refunds give back'], kind: 'flag' },
      start_at: { title: ['开始', 'From'], kind: 'time' },
      end_at: { title: ['结束', 'Until'], kind: 'time' },
      status: { title: ['状态', 'State'], kind: 'enum', options: onOff },
      exempt: { title: ['豁免会员', 'Exempt members'], kind: 'list' },
      order: { title: ['优先级', 'Order'], kind: 'list' },
    },
  },
  buy_limit_log: {
    title: ['限购拦截', 'Purchase-limit block'],
    fields: {
      result: { title: ['结果', 'Result'], kind: 'enum', options: limitResults },
      release_until: { title: ['放行至', 'Released until'], kind: 'time' },
    },
  },
}
