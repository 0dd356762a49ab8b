import { changesOf, type BlockChange } from '#src/areas/scheme/blockChanges.ts'
import { kindOf, type Block } from '#src/areas/scheme/blocks.ts'
import type { DesignerCalls } from '#src/contract/designer.ts'
import { getQrImg } from '#src/contract/link.ts'
import { comma } from '#src/domain/text.ts'
import { SmallTable } from '../cells.tsx'
import { skipToken, useRead } from '../data.ts'
import { Badge, When } from '../show.tsx'
import { Empty, Failed, Loading } from '../states.tsx'
import { useSay } from '../text.ts'
import { Window } from '../window.tsx'

type Of = { calls: DesignerCalls; id: number; close: () => void }

/** The address of the saved draft, and its QR for a phone. */
export const PreviewWindow = ({ calls, id, close }: Of) => {
  const say = useSay()
  const { data, error, refetch } = useRead(calls.preview, { id })
  const address = data && `${location.origin}${data.path}`
  const qr = useRead(getQrImg, address ? { text: address, size: 480 } : skipToken)
  return (
    <Window
      title={say(['手机预览', 'Preview on a phone'])}
      width={400}
      close={close}
      stage={qr.data}
      actions={
        address && (
          <a
            className="bp6-button bp6-intent-primary"
            href={address}
            target="_blank"
            rel="noreferrer"
            data-autofocus
          >
            {say(['在新窗口打开', 'Open in a new window'])}
          </a>
        )
      }
    >
      {error && <Failed error={error} retry={refetch} />}
      {!error && !qr.data && <Loading lines={6} />}
      {data && qr.data && (
        <div className="cd-preview">
          <img src={qr.data.image} alt={say(['预览二维码', 'QR of the preview'])} />
          <p>
            {say(['扫码预览已保存的草稿，有效至 ', 'It shows the saved draft until '])}
            <When at={data.until} />
          </p>
        </div>
      )}
    </Window>
  )
}

const hows = {
  added: ['新增', 'Added'],
  removed: ['删除', 'Removed'],
  changed: ['修改', 'Changed'],
} as const
const tones = { added: 'good', removed: 'bad', changed: 'info' } as const
const ChangeLine = ({ of, name }: { of: BlockChange; name: string }) => {
  const say = useSay()
  const { fields } = kindOf(of.kind)
  return (
    <>
      {name}
      <small className="m-muted">
        {' '}
        {[
          ...(of.moved ? [say(['位置', 'place'])] : []),
          ...of.fields.map(field => say(fields[field]!.label)),
        ].join(say(comma))}
      </small>
    </>
  )
}
/** How one version (0: the draft on the screen) differs from another, block by block. */
export const DiffWindow = ({
  calls,
  id,
  close,
  a,
  b,
  draft,
  nameOf,
}: Of & { a: number; b: number; draft: readonly Block[]; nameOf: (block: Block) => string }) => {
  const say = useSay()
  const before = useRead(calls.version, a > 0 ? { id, no: a } : skipToken)
  const after = useRead(calls.version, b > 0 ? { id, no: b } : skipToken)
  const error = before.error ?? after.error
  const blocksOf = (no: number, read: typeof before) =>
    no === 0 ? draft : (read.currentData?.blocks as Block[] | undefined)
  const [was, is] = [blocksOf(a, before), blocksOf(b, after)]
  const called = (no: number) =>
    no === 0 ? say(['当前草稿', 'the draft']) : say(['版本 {no}', 'version {no}'], { no })
  const changes = was && is && changesOf(was, is)
  const known = new Map([...(was ?? []), ...(is ?? [])].map(block => [block.id, block]))
  return (
    <Window
      title={say(['{a} → {b}', '{a} → {b}'], { a: called(a), b: called(b) })}
      width={560}
      close={close}
    >
      {error && <Failed error={error} retry={before.error ? before.refetch : after.refetch} />}
      {!error && !changes && <Loading lines={4} />}
      {changes?.length === 0 && <Empty title={say(['两个版本相同', 'They are alike'])} />}
      {changes && changes.length > 0 && (
        <SmallTable
          head={[
            ['变化', 'How'],
            ['组件', 'Block'],
          ]}
          rows={changes}
          keyOf={change => change.block}
          cells={change => [
            <Badge key="how" tone={tones[change.how]}>
              {say(hows[change.how])}
            </Badge>,
            <ChangeLine key="what" of={change} name={nameOf(known.get(change.block)!)} />,
          ]}
        />
      )}
    </Window>
  )
}
