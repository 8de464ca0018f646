/** Collects resources and closes them in reverse order of opening. */
export interface Closing {
  /** Registers a resource and returns it. */
  keep<T extends { close(): Promise<unknown> }>(resource: T): T
  /** Closes all resources once. An error does not stop the others; the first one is thrown at the end. */
  close(): Promise<void>
}

export const createClosing = (): Closing => {
  const resources: { close(): Promise<unknown> }[] = []
  return {
    keep: (resource) => {
      resources.push(resource)
      return resource
    },
    close: async () => {
      const errors: unknown[] = []
      for (const resource of resources.splice(0).reverse()) {
        try {
          await resource.close()
        } catch (error) {
          errors.push(error)
        }
      }
      if (errors.length > 0) throw errors[0]
    },
  }
}
