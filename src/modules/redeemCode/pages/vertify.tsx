import { InputGroup } from '@blueprintjs/core'
import { Barcode } from '@blueprintjs/icons'
import { useEffect, useMemo, useRef, useState, type RefObject } from 'react'
import { deskActions as actions } from '#commands/redeemCode/desk.ts'
import { PASTED_MOST } from '#src/areas/redeemCode/redeemCode.ts'
import { codesIn, maskedCode } from '#src/areas/secret/secretCode.ts'
import type { Result } from '#src/contract/call.ts'
import { semicolon } from '#src/domain/text.ts'
import { isComposing, isTyping } from '#src/kit/composing.ts'
import { useWrite } from '#src/kit/data.ts'
import { refusedBy } from '#src/kit/refused.ts'
import { RevealDialog, type Revealed } from '#src/kit/reveal.tsx'
import { useSay } from '#src/kit/text.ts'
import { Toolbar } from '#src/kit/toolbar.tsx'
import {
  useAction,
  useAnswered,
  usePane,
  useResult,
  useSubject,
  useWorkbench,
} from '#src/kit/workbench.ts'
import { codeDesk as calls, type DeskCode, type LookedUp } from '../contract/vertify.ts'
import { CodeShown, Looked, Verdict } from '../parts/DeskCode.tsx'
import '../parts/desk.css'
import { printCodeSlip } from '../parts/slip.ts'

type Told = Pick<Result<typeof calls.lookup>, 'result' | 'text'> & { code: DeskCode | null }
type Seen = { told?: Told; rows?: readonly LookedUp[]; fault?: string }
const nothing: Seen = {}

/** Looks codes up one after the other: a scan that comes meanwhile waits its turn. */
const useLookups = () => {
  const say = useSay()
  const [look] = useWrite(calls.lookup)
  const [lookAll] = useWrite(calls.batchLookup)
  const [seen, setSeen] = useState<Seen>(nothing)
  const last = useRef<Promise<unknown>>(Promise.resolve())
  const scanned = useRef('')
  const ask = async (codes: readonly string[]): Promise<void> => {
    try {
      if (codes.length > 1) setSeen(await lookAll({ secret_codes: [...codes] }, { quiet: true }))
      else setSeen({ told: await look({ secret_code: codes[0]! }, { quiet: true }) })
    } catch (error) {
      const { message, fields } = await refusedBy(error, {})
      setSeen({ fault: message ?? Object.values(fields ?? {}).join(say(semicolon)) })
    }
  }
  const go = (codes: readonly string[]) => {
    if (codes.length === 0) return
    if (codes.length === 1) scanned.current = codes[0]!
    last.current = last.current.then(() => ask(codes))
  }
  /** The code on the desk once more, as it is now. */
  const again = () => go(scanned.current ? [scanned.current] : [])
  return { seen, setSeen, go, again }
}
/** The field of the next scan has the focus, whatever was done; a key outside a field goes there. */
const useScanField = (field: RefObject<HTMLInputElement | null>) => {
  const { visible } = usePane()
  useEffect(() => {
    if (visible) field.current?.focus()
  }, [visible, field])
  return {
    back: () => field.current?.focus(),
    onKeyDown: (event: React.KeyboardEvent) => {
      const isSign = event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey
      if (isSign && !isTyping(event.target)) field.current?.focus()
    },
  }
}
/** Tells how an action on the code ended, and shows the code as it is now. */
const useDone = ({ setSeen, again }: ReturnType<typeof useLookups>, back: () => void) => {
  const say = useSay()
  const { toast } = useWorkbench()
  const [revealed, setRevealed] = useState<Revealed | undefined>(undefined)
  useResult(actions.redeemFor, told => {
    setSeen({ told })
    toast(told.text, told.result === 'ok' ? 'success' : 'warning')
    back()
    return true
  })
  const changed = () => {
    again()
    back()
  }
  useResult(actions.handOver, changed)
  useResult(actions.voidCode, changed)
  useResult(actions.extend, changed)
  useResult(actions.undo, changed)
  useResult(actions.reveal, ({ id, secret_code: value, seconds, left }) => {
    if (value) setRevealed({ label: ['兑换码', 'Redeem code'], of: `#${id}`, value, seconds, left })
    return true
  })
  useAction(actions.print, ([row]: readonly DeskCode[]) => {
    if (row) printCodeSlip(row, say)
  })
  return (
    revealed && (
      <RevealDialog
        of={revealed}
        close={() => {
          setRevealed(undefined)
          back()
        }}
      />
    )
  )
}

/** The desk: whatever is scanned, typed or pasted is looked up, and the field is ready for the next. */
export default function CodeDesk() {
  const say = useSay()
  const { toast } = useWorkbench()
  const field = useRef<HTMLInputElement>(null)
  const lookups = useLookups()
  const { back, onKeyDown } = useScanField(field)
  const { seen, go } = lookups
  const code = seen.told?.code ?? undefined
  const rows = useMemo(() => (code ? [code] : []), [code])
  useSubject(useMemo(() => ({ rows }), [rows]))
  const dialog = useDone(lookups, back)
  const take = (text: string) => {
    const codes = codesIn(text)
    if (codes.length > PASTED_MOST)
      toast(say(['一次最多 {n} 个码', 'At most {n} codes at once'], { n: PASTED_MOST }), 'warning')
    else go(codes)
  }
  const enter = () => {
    const input = field.current!
    const text = input.value
    input.value = ''
    take(text)
  }
  useAction(actions.lookup, () => {
    back()
    enter()
  })
  useAnswered(actions.batchLookup, ({ codes }) => {
    take(String(codes))
    back()
  })
  return (
    <div className="rc-desk" onKeyDown={onKeyDown}>
      <Toolbar actions={Object.values(actions)} rows={rows} />
      <InputGroup
        inputRef={field}
        size="large"
        leftIcon={<Barcode />}
        aria-label={say(['兑换码', 'Redeem code'])}
        placeholder={say([
          '扫码、输入或粘贴兑换码，回车查询',
          'Scan, type or paste a code, then press Enter',
        ])}
        autoComplete="off"
        spellCheck={false}
        onKeyDown={event => {
          if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return
          if (isComposing(event.nativeEvent)) return
          event.preventDefault()
          enter()
        }}
        onPaste={event => {
          const text = event.clipboardData.getData('text/plain')
          if (codesIn(text).length < 2) return
          event.preventDefault()
          take(text)
        }}
      />
      <div className="rc-desk-body" role="status" aria-live="polite">
        {seen.fault && <Verdict result="locked" text={seen.fault} />}
        {seen.told && <Verdict result={seen.told.result} text={seen.told.text} />}
        {code && <CodeShown row={code} />}
        {seen.rows && <Looked rows={seen.rows} />}
        {seen === nothing && (
          <p className="m-muted">
            {say([
              '大小写、空格、连字符与全角不影响；可一次粘贴 500 个。卡面上的码只显示末四位：',
              'Case, spaces, hyphens and full-width are ignored; paste up to 500. Only the last 4 are shown: ',
            ])}
            {maskedCode('AB12')}
          </p>
        )}
      </div>
      {dialog}
    </div>
  )
}
