import { useState } from 'react'
import type { BatchResult } from '#src/contract/shapes.ts'
import type { Text } from '#src/domain/text.ts'
import { SmallTable } from './cells.tsx'
import { Drawer } from './drawer.tsx'
import { useReturnFocus } from './focus.ts'
import { Section } from './show.tsx'
import { useSay } from './text.ts'
import { useWorkbench } from './workbench.ts'

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
 * Tells what a batch that goes to somebody else came to: `words` of all, and of some. Each that was
 * not sent says why in `shown`, which the page draws. `hear` answers true: it has told everything.
 */
export const useBatchTold = () => {
  const say = useSay()
  const { toast } = useWorkbench()
  const [failed, setFailed] = useState<BatchResult['failed']>([])
  const hear = (result: BatchResult, words: readonly [Text, Text]): true => {
    const isAll = result.failed.length === 0
    const values = { n: result.ok.length, m: result.failed.length }
    toast(say(words[isAll ? 0 : 1], values), isAll ? 'success' : 'warning')
    setFailed(result.failed)
    return true
  }
  const shown = failed.length > 0 && <Refused of={failed} close={() => setFailed([])} />
  return { hear, shown }
}
