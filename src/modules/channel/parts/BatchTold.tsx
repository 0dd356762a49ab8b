import { useState } from 'react'
import type { BatchResult } from '#src/contract/shapes.ts'
import type { Text } from '#src/domain/text.ts'
import { SmallTable } from '#src/kit/cells.tsx'
import { Drawer } from '#src/kit/drawer.tsx'
import { useReturnFocus } from '#src/kit/focus.ts'
import { Section } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import { useWorkbench } from '#src/kit/workbench.ts'

/** What was not done, and why. */
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
          ]}
          rows={of}
          keyOf={one => one.id}
          cells={one => [one.id, one.msg]}
        />
      </Section>
    </Drawer>
  )
}
/** Tells what a batch came to: `words` of all, and of some; each that was refused says why. */
export const useBatchTold = () => {
  const say = useSay()
  const { toast } = useWorkbench()
  const [failed, setFailed] = useState<BatchResult['failed']>([])
  const hear = (result: BatchResult, words: readonly [Text, Text]): boolean => {
    const isAll = result.failed.length === 0
    const values = { n: result.ok.length, m: result.failed.length }
    toast(say(words[isAll ? 0 : 1], values), isAll ? 'success' : 'warning')
    setFailed(result.failed)
    return true
  }
  const shown = failed.length > 0 && <Refused of={failed} close={() => setFailed([])} />
  return { hear, shown }
}
