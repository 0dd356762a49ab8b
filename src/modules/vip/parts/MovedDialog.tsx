import { useState } from 'react'
import type { BatchResult } from '#src/contract/shapes.ts'
import type { Text } from '#src/domain/text.ts'
import { SmallTable } from '#src/kit/cells.tsx'
import { Drawer } from '#src/kit/drawer.tsx'
import { useReturnFocus } from '#src/kit/focus.ts'
import { Section } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import { useResult, useWorkbench } from '#src/kit/workbench.ts'

/** Says of an action that it is on its way to WeCom: done it is only once WeCom has answered. */
export const useSubmitted = (action: Parameters<typeof useResult>[0]): void => {
  const say = useSay()
  const { toast } = useWorkbench()
  useResult(action, () => {
    toast(say(['已提交企微，完成后自动更新', 'On its way to WeCom']), 'success')
    return true
  })
}

const handedOver = [
  ['已提交 {n} 项转接，企业微信确认后生效', '{n} are on their way to WeCom'],
  ['已提交 {n} 项，{m} 项未提交', '{n} are on their way, {m} are not'],
] as const satisfies readonly Text[]
/** What was not sent, and why. */
const Refused = ({ of, close }: { of: BatchResult['failed']; close: () => void }) => {
  useReturnFocus()
  const say = useSay()
  return (
    <Drawer
      isOpen
      onClose={close}
      size="520px"
      title={say(['{n} 项未提交', '{n} not sent'], { n: of.length })}
    >
      <Section title={say(['原因', 'Why'])}>
        <SmallTable
          head={[
            ['编号', 'Number'],
            ['原因', 'Why'],
            ['代码', 'Code'],
          ]}
          rows={of}
          keyOf={one => one.id}
          cells={one => [one.id, one.msg, one.code]}
        />
      </Section>
    </Drawer>
  )
}
/**
 * What something sent to WeCom came to: how many are on their way, and of each of the others why not.
 * `words` are of all, and of some.
 */
export const useMoved = (words: readonly [Text, Text] = handedOver) => {
  const say = useSay()
  const { toast } = useWorkbench()
  const [failed, setFailed] = useState<BatchResult['failed']>([])
  const told = (result: BatchResult): boolean => {
    const isAll = result.failed.length === 0
    const values = { n: result.ok.length, m: result.failed.length }
    toast(say(words[isAll ? 0 : 1], values), isAll ? 'success' : 'warning')
    setFailed(result.failed)
    return true
  }
  const shown = failed.length > 0 && <Refused of={failed} close={() => setFailed([])} />
  return { told, shown }
}
