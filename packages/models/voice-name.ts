/** Splits the name of a Mouth's model into the model and the voice. */

/**
 * The voice follows the model's name after its last `#`: `tts-1#nova`, `gemini-2.5-flash-preview-tts#Puck`.
 * Model names never contain this character, but often `:`, `/` and `@`. Compare models by `model`. `voice` is
 * null for the default.
 */
export const readVoice = (name: string): { readonly model: string; readonly voice: string | null } => {
  const sign = name.lastIndexOf('#')
  const model = name.slice(0, Math.max(sign, 0)).trimEnd()
  const voice = name.slice(sign + 1).trim()
  return model && voice ? { model, voice } : { model: name, voice: null }
}
