/** The name of a Mouth's model, and whose voice it is asked for. */

/**
 * A voice is chosen behind the model's name, after its last `#`: `tts-1#nova`,
 * `gemini-2.5-flash-preview-tts#Puck`. No name of a model has that sign, while `:`, `/` and `@` stand in
 * many. Whoever looks for a Mouth's model looks for `model`. `voice` null: the usual one.
 */
export const readVoice = (name: string): { readonly model: string; readonly voice: string | null } => {
  const sign = name.lastIndexOf('#')
  const [model, voice] = [name.slice(0, Math.max(sign, 0)).trimEnd(), name.slice(sign + 1).trim()]
  return model && voice ? { model, voice } : { model: name, voice: null }
}
