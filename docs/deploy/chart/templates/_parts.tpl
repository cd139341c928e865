{{/* Names and parts that several resources share. */}}

{{- define "trestle.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{ else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "trestle.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "trestle.labels" -}}
{{ include "trestle.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "trestle.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- define "trestle.secret" -}}
{{ .Values.existingSecret | default (include "trestle.name" .) }}
{{- end }}

{{/* Environment of servers and workers: the settings of the chart, then the secret. */}}
{{- define "trestle.environment" -}}
envFrom:
  - configMapRef:
      name: {{ include "trestle.name" . }}
  - secretRef:
      name: {{ include "trestle.secret" . }}
{{- end }}

{{/* Bytes of a size such as 10Gi. */}}
{{- define "trestle.bytes" -}}
{{- $units := dict "Ki" 1024 "Mi" 1048576 "Gi" 1073741824 "Ti" 1099511627776 }}
{{- mulf (regexFind "^[0-9.]+" .) (get $units (regexFind "[A-Z]i$" .)) | int64 }}
{{- end }}

{{/* The volume of graphs: a pod whose volume exceeds its limit is evicted, so the limit of the cache is lower. */}}
{{- define "trestle.graphsVolume" -}}
- name: graphs
  emptyDir:
    sizeLimit: {{ mulf (include "trestle.bytes" .) 1.1 | int64 | quote }}
{{- end }}

{{/* What a pod may do: nothing but its work. */}}
{{- define "trestle.podSecurity" -}}
automountServiceAccountToken: false
enableServiceLinks: false
serviceAccountName: {{ include "trestle.name" . }}
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  seccompProfile:
    type: RuntimeDefault
{{- with .Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "trestle.containerSecurity" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
{{- end }}

{{/* Pods go where their like are not. */}}
{{- define "trestle.placement" -}}
{{- $pods := index .root.Values .component }}
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "trestle.selector" .root | nindent 8 }}
        app.kubernetes.io/component: {{ .component }}
{{- with $pods.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $pods.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $pods.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
