import { useCallback, useState } from 'react'
import { sellerActions as actions } from '#commands/distribution/sellers.ts'
import { yuan } from '#src/domain/money.ts'
import { useCounted } from '#src/kit/counted.ts'
import { RevealDialog, type Revealed } from '#src/kit/reveal.tsx'
import { useSay } from '#src/kit/text.ts'
import { useResult, useWorkbench } from '#src/kit/workbench.ts'
import { sellersPage as calls } from '../contract/index.ts'

/** What actions on sellers ask and tell, on their list and on the page of one. */
export const useSellerTold = (rows: readonly { id: number; name: string }[]) => {
  const say = useSay()
  const { toast } = useWorkbench()
  const [told, setTold] = useState<Revealed | undefined>(undefined)
  const hide = useCallback(() => setTold(undefined), [])
  useCounted(actions.freeze, calls.effects)
  useCounted(actions.quit, calls.effects)
  useResult(actions.revealPhone, ({ id, phone: value, seconds, left }) => {
    const of = rows.find(one => one.id === id)?.name ?? ''
    setTold({ label: ['手机号', 'Phone'], of, value, seconds, left })
    return true
  })
  useResult(actions.quit, ({ released, on_hold_cents }) => {
    const values = { n: released, held: yuan(on_hold_cents) }
    toast(
      on_hold_cents > 0
        ? say(
            [
              '已释放 {n} 位客户；冻结佣金 {held} 元结清后自动清退',
              '{n} customers released; removed automatically once the ¥{held} on hold is settled',
            ],
            values,
          )
        : say(['已清退，释放 {n} 位客户', 'Removed; {n} customers released'], values),
      'success',
    )
    return true
  })
  return told && <RevealDialog of={told} close={hide} />
}
