"""The scripted planner: no language model, but it answers the same prompts in the same form.

It reads nothing but the prompt, so it knows no more than a model would; what it adds is what everybody knows who has
played Minecraft (which tool breaks what). Its results are labelled as scripted wherever they are shown.
"""
