import { visitorActions, visitorDetailActions } from '#commands/order/visitor.ts'
import { useSay } from '#src/kit/text.ts'
import { useResult, useWorkbench } from '#src/kit/workbench.ts'
import { visitor as calls } from '../../contract/visitor.ts'
import { OrderPage } from '../../parts/OrderPage.tsx'
import { VisitorFile } from '../../parts/visitor.tsx'

const { batchFreeze: _, export: __, ...shared } = visitorActions
/** What was sent stands beside how often it was sent again. */
const own = ['messages'] as const
export default function VisitorOrder() {
  const say = useSay()
  const { toast } = useWorkbench()
  useResult(visitorActions.bindMember, ({ bound }: { bound: boolean }) => { if (!bound) toast(say(['手机号不一致，已提交另一人复核', 'The phones differ: another person must agree']), 'none') })
  return <OrderPage calls={calls} actions={[...Object.values(shared), ...Object.values(visitorDetailActions)]} revealPhone={visitorActions.revealPhone} queryPay={visitorDetailActions.queryPay} own={own}>{of => <VisitorFile of={of} />}</OrderPage>
}
