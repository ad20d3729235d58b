{{/* The selector of a book's pods. It is immutable in a Deployment: never change it. */}}
{{- define "markdownview.selectorLabels" -}}
app.kubernetes.io/name: mdbook
app.kubernetes.io/instance: {{ .Values.name | quote }}
app.kubernetes.io/created-by: markdown-view-controller
{{- end }}

{{/* The labels of every object. */}}
{{- define "markdownview.labels" -}}
{{ include "markdownview.selectorLabels" . }}
app.kubernetes.io/part-of: markdown-view
{{- end }}

{{/* Every container runs with the least that the `restricted` Pod Security level asks for, and a read-only root. */}}
{{- define "markdownview.containerSecurityContext" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end }}
