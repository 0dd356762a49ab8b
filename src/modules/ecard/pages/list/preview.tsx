import { useMemo, useState } from 'react'
import { useDispatch } from 'react-redux'
import { useSearch } from 'wouter'
import { to } from '#commands/command.ts'
import { previewActions as actions } from '#commands/ecard/preview.ts'
import { cardPreview as previewPage } from '#commands/pages/ecard.ts'
import { NAME_WIDE, type CardDraft } from '#src/areas/ecard/card.ts'
import { cardSentence } from '#src/areas/ecard/cardSentence.ts'
import { readFaceLines } from '#src/areas/ecard/faceLines.ts'
import { unixNow } from '#src/domain/time.ts'
import { cutToWidth } from '#src/domain/validate.ts'
import { State } from '#src/kit/cells.tsx'
import { dispatchRead, skipToken, useRead } from '#src/kit/data.ts'
import { usePaneState, useDraft } from '#src/kit/memory.ts'
import { Badge, Section } from '#src/kit/show.tsx'
import { Empty, Failed, Loading } from '#src/kit/states.tsx'
import { Tabs } from '#src/kit/tabs.tsx'
import { useSay } from '#src/kit/text.ts'
import { Toolbar } from '#src/kit/toolbar.tsx'
import { useAction, useWorkbench } from '#src/kit/workbench.ts'
import { cards, type CardWhole } from '../../contract/list.ts'
import { cardPreview } from '../../contract/preview.ts'
import { cardLooks } from '../../parts/looks.tsx'
import { CardPhone, scenes, standsAs, type Scene } from '../../parts/phone.tsx'
import { PreviewCode } from '../../parts/PreviewCode.tsx'
import { answersOf, writtenOf, type CardAnswers } from '../../parts/written.ts'

type Faces = CardWhole['face_list']
/** The card with what is written in its form and not saved. */
const written = (now: CardWhole | undefined, changed: CardAnswers): CardDraft =>
  writtenOf({
    ...(now && { ...answersOf(now), name: now.name, store_id: now.store_id }),
    ...changed,
  })
const linedUp = (typed: string | undefined): Faces =>
  readFaceLines(typed ?? '').faces.map((face, at) => ({
    ...face,
    id: at + 1,
    bonus_cents: 0,
    status: 'on',
    free_n: 0,
    loss_by: null,
  }))
const keys = Object.keys(scenes) as Scene[]
const after = <T,>(all: readonly T[], at: T): T => all[(all.indexOf(at) + 1) % all.length]!

/**
 * The controls that turn a preview: its scene, its face, its colours and a name as long as one may
 * be.
 */
const useTurned = (faces: Faces) => {
  const [scene, setScene] = usePaneState<Scene>('scene', 'detail')
  const [face, setFace] = usePaneState('face', 0)
  const [dark, setDark] = usePaneState('dark', false)
  const [long, setLong] = usePaneState('long', false)
  const ids = faces.map(one => one.id)
  useAction(actions.switchScene, () => setScene(after(keys, scene)))
  useAction(actions.switchFace, () => ids.length > 0 && setFace(after(ids, face)))
  useAction(actions.switchDark, () => setDark(!dark))
  useAction(actions.longName, () => setLong(!long))
  return { scene, setScene, dark, long, face: faces.find(one => one.id === face) ?? faces[0] }
}
/** The link opens the preview to staff for half an hour. */
const useLink = (id: number | undefined) => {
  const say = useSay()
  const { toast } = useWorkbench()
  const dispatch = useDispatch()
  useAction(actions.copyLink, () => {
    if (id === undefined) {
      toast(say(['请先保存，再复制链接', 'Save it first']), 'warning')
      return
    }
    void dispatchRead(dispatch as never, cardPreview.key, { id }, true)
      .then(({ scene }) =>
        navigator.clipboard.writeText(`${location.origin}${to(previewPage, { key: scene })}`),
      )
      .then(
        () =>
          toast(
            say(['已复制，30 分钟内有效，仅限员工', 'Copied; valid 30 minutes, staff only']),
            'success',
          ),
        () => toast(say(['无法访问剪贴板', 'No access to the clipboard']), 'warning'),
      )
  })
}
const Preview = ({ now, isDraft }: { now: CardWhole | undefined; isDraft: boolean }) => {
  const say = useSay()
  const draft = useDraft<{ changed?: CardAnswers }>(`ecard-form:${now?.id ?? 'new'}`)
  const [code, setCode] = useState(false)
  const changed = isDraft ? (draft.found?.changed ?? {}) : {}
  const card = written(now, changed)
  const faces = useMemo(
    () => (now ? now.face_list.filter(one => one.status === 'on') : linedUp(changed.faces)),
    [now, changed.faces],
  )
  const { scene, setScene, dark, long, face } = useTurned(faces)
  useLink(now?.id)
  const { toast } = useWorkbench()
  useAction(actions.getMpImg, () => {
    if (now) setCode(true)
    else toast(say(['请先保存，再生成预览码', 'Save it first']), 'warning')
  })
  if (!draft.ready) return <Loading lines={12} />
  const shown = long
    ? { ...card, name: cutToWidth((card.name || '电子卡').repeat(NAME_WIDE), NAME_WIDE) }
    : card
  return (
    <div className="ec-page">
      <Toolbar actions={Object.values(actions)} rows={[]}>
        {now && <State of={now.state} in={cardLooks} />}
        {Object.keys(changed).length > 0 && (
          <Badge tone="info">{say(['含未保存的修改', 'Including unsaved changes'])}</Badge>
        )}
      </Toolbar>
      <Tabs
        label={say(['场景', 'Scene'])}
        all={keys.map(key => ({ key, title: say(scenes[key]) }))}
        at={scene}
        go={setScene}
      />
      <div className="ec-preview">
        <CardPhone
          scene={scene}
          dark={dark}
          card={shown}
          face={face}
          stands={standsAs(now?.state ?? 'draft', card, unixNow())}
        />
        <aside>
          <Section title={say(['一句话条款', 'Summary'])}>
            <p>{say(cardSentence(card, faces))}</p>
          </Section>
        </aside>
      </div>
      {code && now && <PreviewCode id={now.id} close={() => setCode(false)} />}
    </div>
  )
}
/** The card of `?id=`, that of a link's `?key=`, or what the form of a new one holds. */
export default function CardPreviewPage() {
  const say = useSay()
  const asked = new URLSearchParams(useSearch())
  const key = asked.get('key') ?? ''
  const opened = useRead(cardPreview.opened, key ? { scene: key } : skipToken)
  const id = key ? opened.data?.id : Number(asked.get('id'))
  const isNamed = id !== undefined && Number.isInteger(id) && id > 0
  const read = useRead(cards.detail, isNamed ? { id } : skipToken)
  const isDraft = asked.has('draft')
  if (opened.error) return <Failed error={opened.error} retry={opened.refetch} />
  if (!isNamed && isDraft) return <Preview now={undefined} isDraft />
  if (!isNamed && !key) return <Empty title={say(['没有指定电子卡', 'No e-card named'])} />
  if (read.error && !read.data) return <Failed error={read.error} retry={read.refetch} />
  const now = read.currentData ?? read.data
  if (!isNamed || now?.id !== id) return <Loading lines={12} />
  return <Preview key={id} now={now} isDraft={isDraft} />
}
