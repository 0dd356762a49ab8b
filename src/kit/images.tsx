import { Button, Spinner } from '@blueprintjs/core'
import { Cross, Upload } from '@blueprintjs/icons'
import { useRef, useState } from 'react'
import { useDispatch } from 'react-redux'
import type { Ask } from '#commands/command.ts'
import { uploadToken } from '#src/contract/upload.ts'
import { attachedAccept, attachedFault } from '#src/domain/attached.ts'
import { pictureFileFault, pictureDamaged } from '#src/domain/picture.ts'
import type { Text } from '#src/domain/text.ts'
import { dispatchRead } from './data.ts'
import { Stored } from './image.tsx'
import { lang, useSay } from './text.ts'

const KINDS = 'image/jpeg,image/png,image/webp'
/** How far a picture may be from the ratio asked for. */
const RATIO_SLACK = 0.03

const buttonWords = (isFile: boolean, hasOne: boolean): Text => {
  if (isFile) return hasOne ? ['更换文件', 'Replace'] : ['上传文件', 'Upload']
  return hasOne ? ['更换图片', 'Replace'] : ['上传图片', 'Upload']
}

type Props = {
  ask: Ask
  id: string
  describedBy: string
  value: string[] | undefined
  change: (value: string[] | undefined) => void
  invalid: boolean
}
/**
 * Pictures: chosen, dropped or pasted, checked here and stored through the form upload of the image
 * store; Alt+←/→ moves one, Delete takes it out.
 */
export const ImagesField = ({ ask, id, describedBy, value = [], change, invalid }: Props) => {
  const say = useSay()
  const dispatch = useDispatch()
  const file = useRef<HTMLInputElement>(null)
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState('')
  const { max, ratio, maxBytes, takes } =
    ask.kind === 'images'
      ? ask
      : { max: 1, ratio: undefined, maxBytes: undefined, takes: undefined }
  const wrong = async (one: File): Promise<string | undefined> => {
    const bytes = new Uint8Array(await one.arrayBuffer())
    const unfit = takes ? attachedFault(takes, bytes, one.name) : pictureFileFault(bytes)
    if (unfit) return say(...unfit)
    if (maxBytes && one.size > maxBytes)
      return say(['图片不能大于 {n} KB，请压缩后再传', 'At most {n} KB, compress it first'], {
        n: Math.round(maxBytes / 1024),
      })
    if (!ratio) return undefined
    const drawn = await createImageBitmap(one).catch(() => undefined)
    if (!drawn) return say(...pictureDamaged)
    const off = Math.abs(drawn.width / drawn.height / (ratio[0] / ratio[1]) - 1)
    return off > RATIO_SLACK
      ? say(
          [
            '图片宽高比须为 {w}:{h}，这张是 {a}×{b}',
            'The ratio must be {w}:{h}; this one is {a}×{b}',
          ],
          { w: ratio[0], h: ratio[1], a: drawn.width, b: drawn.height },
        )
      : undefined
  }
  const store = async (one: File): Promise<string> => {
    const asked = { of: takes ?? ('picture' as const) }
    const { token, upload_url } = await dispatchRead(dispatch as never, uploadToken, asked, true)
    const form = new FormData()
    form.append('token', token)
    form.append('file', one)
    const answer = await fetch(upload_url, {
      method: 'POST',
      body: form,
      headers: { 'Accept-Language': lang() },
    })
    const body = (await answer.json().catch(() => ({}))) as { key?: string; error?: string }
    if (!answer.ok || !body.key)
      throw new Error(body.error ?? say(['上传失败，请重试', 'The upload failed, retry']))
    return body.key
  }
  const take = async (files: Iterable<File>) => {
    setBusy(true)
    setFault('')
    const kept = [...value]
    for (const one of files) {
      if (max > 1 && kept.length >= max) {
        setFault(say(['最多 {n} 张', 'At most {n}'], { n: max }))
        break
      }
      try {
        const found = await wrong(one)
        if (found) {
          setFault(found)
          continue
        }
        const key = await store(one)
        if (max === 1) kept.splice(0, 1, key)
        else if (!kept.includes(key)) kept.push(key)
      } catch (error) {
        setFault((error as Error).message)
      }
    }
    setBusy(false)
    change(kept)
  }
  const move = (from: number, by: number) => {
    const next = [...value]
    const [taken] = next.splice(from, 1)
    next.splice(Math.max(0, Math.min(value.length - 1, from + by)), 0, taken!)
    change(next)
  }
  return (
    <div
      className="m-images"
      onDragOver={event => event.preventDefault()}
      onDrop={event => {
        event.preventDefault()
        void take([...event.dataTransfer.files])
      }}
      onPaste={event => {
        if (event.clipboardData.files.length > 0) {
          event.preventDefault()
          void take([...event.clipboardData.files])
        }
      }}
    >
      {value.map((key, i) => (
        <div
          key={key}
          className="m-images-one"
          tabIndex={max > 1 ? 0 : -1}
          role="group"
          aria-label={say(['第 {n} 张', 'Picture {n}'], { n: i + 1 })}
          onKeyDown={event => {
            if (event.target !== event.currentTarget) return
            if (event.key === 'Delete' || event.key === 'Backspace') {
              event.preventDefault()
              change(value.filter(one => one !== key))
            } else if (event.altKey && (event.key === 'ArrowLeft' || event.key === 'ArrowRight')) {
              event.preventDefault()
              move(i, event.key === 'ArrowLeft' ? -1 : 1)
            }
          }}
        >
          <Stored of={key} label={say(['第 {n} 张', 'Picture {n}'], { n: i + 1 })} />
          <Button
            size="small"
            variant="minimal"
            icon={<Cross />}
            aria-label={say(['移除第 {n} 张', 'Remove picture {n}'], { n: i + 1 })}
            onClick={() => change(value.filter(one => one !== key))}
          />
        </div>
      ))}
      {(max === 1 || value.length < max) && (
        <Button
          id={id}
          data-autofocus
          aria-describedby={`${describedBy} ${id}-fault`}
          aria-invalid={invalid}
          icon={busy ? <Spinner size={16} /> : <Upload />}
          disabled={busy}
          onClick={() => file.current?.click()}
        >
          {say(buttonWords(takes !== undefined, max === 1 && value.length > 0))}
        </Button>
      )}
      <input
        ref={file}
        type="file"
        hidden
        accept={takes ? attachedAccept[takes] : KINDS}
        multiple={max > 1}
        onChange={event => {
          void take([...(event.target.files ?? [])])
          event.target.value = ''
        }}
      />
      <div id={`${id}-fault`} className="m-error" role={fault ? 'alert' : undefined}>
        {fault}
      </div>
    </div>
  )
}
